// The timeline: its events, its view, and how it is drawn. A lane for each track, time from left to right.

const KINDS = [
  ['step', 'steps of the run', 'step'],
  ['superstep', 'supersteps', 'superstep'],
  ['kernel', 'kernels', 'compute'],
  ['copy', 'copies over the link', 'copy'],
  ['disk', 'reads from disk', 'disk'],
  ['cpu', 'work of the cpu', 'cpu'],
  ['exchange', 'exchange', 'exchange'],
];
const AXIS_HEIGHT = 34;  // above the lanes: where the view lies in the run, and the time
const NARROW = 5;        // pixels: boxes below that are drawn as shades of columns

function kindColour(kind) {
  const found = KINDS.find(([name]) => name === kind);
  return found ? found[2] : 'step';
}

// Events in typed arrays: 60,000 of them are searched in each frame.
function timelineModel(timeline) {
  const names = timeline.names || [];
  const tracks = (timeline.tracks || []).map((track) => {
    const events = track.events || [];
    const column = (index, none) =>
        Float64Array.from(events, (event) => (isNumber(event[index]) ? event[index] : none));
    const begin = column(0, 0);
    const end = column(1, 0).map((duration, i) => begin[i] + duration);
    return {
      name: track.name,
      kind: track.kind,
      begin,
      end,
      nameIndex: column(2, -1),
      step: column(3, -1),
      bytes: column(4, 0)
    };
  });
  const last = largestOf(tracks.map((track) => (track.end.length ? track.end[track.end.length - 1] : 0)));
  const whole = Math.max(last, (timeline.seconds || 0) * 1e6);
  return {
    names,
    tracks,
    whole,
    least: Math.min(1, whole),
    view: firstView(tracks, whole),
    hidden: new Set(),
    note: timeline.note || ''
  };
}

// The supersteps, where loading takes most of the time: they are what a reader came for.
function firstView(tracks, whole) {
  const steps = tracks.find((track) => track.kind === 'superstep' && track.begin.length);
  if (!steps) return {from: 0, to: whole};
  const from = steps.begin[0];
  const to = steps.end[steps.end.length - 1];
  const margin = (to - from) * 0.02;
  if (to - from > whole / 2) return {from: 0, to: whole};
  return {from: Math.max(0, from - margin), to: Math.min(whole, to + margin)};
}

// The first event that ends after a time. Events do not overlap, so ends are in order too.
function firstEndingAfter(end, time) {
  let low = 0;
  let high = end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (end[middle] > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

function setView(model, from, to) {
  const span = Math.min(model.whole, Math.max(model.least, to - from));
  const start = Math.max(0, Math.min(model.whole - span, span === to - from ? from : (from + to) / 2 - span / 2));
  model.view = {from: start, to: start + span};
}

// Around a place of the view from 0 (left) to 1 (right), which stays where it is.
function zoomView(model, factor, place) {
  const {from, to} = model.view;
  const span = Math.min(model.whole, Math.max(model.least, (to - from) / factor));
  const fixed = from + (to - from) * place;
  setView(model, fixed - span * place, fixed - span * place + span);
}

function panView(model, share) {
  const {from, to} = model.view;
  const move = Math.max(-from, Math.min(model.whole - to, (to - from) * share));
  model.view = {from: from + move, to: to + move};
}

// Where things are. On a narrow screen the names stand above the lanes, else to the left of them.
function timelineLayout(model, width) {
  const narrow = width < 600;
  const letters = largestOf(model.tracks.map((track) => track.name.length));
  const left =
      narrow ? 4 : Math.round(Math.max(90, Math.min(220, 22 + 6.8 * letters)));  // an estimate: longer names are cut
  const row = narrow ? 36 : 24;
  const lanes = model.tracks.filter((track) => !model.hidden.has(track.kind)).map((track, i) => ({
                                                                                    track,
                                                                                    top: AXIS_HEIGHT + i * row +
                                                                                        (narrow ? 17 : 3),
                                                                                    height: narrow ? 15 : 18,
                                                                                    row: AXIS_HEIGHT + i * row
                                                                                  }));
  return {
    narrow,
    left,
    width: Math.max(10, width - left - 4),
    row,
    lanes,
    height: AXIS_HEIGHT + Math.max(1, lanes.length) * row + 4
  };
}

function drawTimeline(context, model, width) {
  const layout = timelineLayout(model, width);
  drawTimelineAxis(context, model, layout);
  const shades = laneShades(context, layout);
  layout.lanes.forEach((lane, row) => {
    drawLaneName(context, lane, layout);
    drawLane(context, lane, model, layout, shades, row);
  });
  drawShades(context, layout, shades);
  if (!layout.lanes.length) {
    context.fillStyle = colours().soft;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillText('All kinds are hidden.', layout.left + 8, AXIS_HEIGHT + layout.row / 2);
  }
}

function drawTimelineAxis(context, model, layout) {
  const palette = colours();
  const {from, to} = model.view;
  context.fillStyle = palette.grid;
  context.fillRect(layout.left, 4, layout.width, 4);
  context.fillStyle = palette.focus;
  context.fillRect(
      layout.left + (from / model.whole) * layout.width, 4, Math.max(3, ((to - from) / model.whole) * layout.width), 4);
  // Labels grow with the digits that a deep zoom needs, so there are fewer of them then.
  let step = niceStep(((to - from) * 80) / layout.width);
  const wide = context.measureText(formatTick(to, step, to)).width + 24;
  if (wide > 80) step = niceStep(((to - from) * wide) / layout.width);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  const bottom = layout.height;
  for (let time = Math.ceil(from / step - 1e-9) * step; time <= to; time += step) {
    const x = Math.round(layout.left + ((time - from) / (to - from)) * layout.width);
    context.fillStyle = palette.grid;
    context.fillRect(x, 14, 1, bottom - 14);
    const text = formatTick(time, step, to);
    context.fillStyle = palette.soft;
    if (x + 4 + context.measureText(text).width < layout.left + layout.width) context.fillText(text, x + 4, 26);
  }
}

function drawLaneName(context, lane, layout) {
  const palette = colours();
  context.fillStyle = palette.grid;
  context.fillRect(0, lane.row, layout.left + layout.width + 4, 1);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const room = layout.narrow ? layout.width : layout.left - 14;
  const y = layout.narrow ? lane.row + 9 : lane.top + lane.height / 2;
  const text = fitted(context, lane.track.name, room, 0.5);  // the end often holds a number
  if (layout.narrow) {
    context.fillStyle = palette.paper;
    context.fillRect(layout.left, lane.row + 2, context.measureText(text).width + 6, 14);
  }
  context.fillStyle = palette.ink;
  context.fillText(text, layout.narrow ? layout.left + 2 : 8, y);
}

const textWidths = new Map();  // measuring is slow, and most names are drawn in every frame

function textWidth(context, text) {
  if (textWidths.size > 5000) textWidths.clear();
  if (!textWidths.has(text)) textWidths.set(text, context.measureText(text).width);
  return textWidths.get(text);
}

// A text cut to some room. `kept` is the share of the letters that is kept at the end of the text.
function fitted(context, text, room, kept = 0) {
  const wide = textWidth(context, text);
  if (wide <= room) return text;
  const cut = (length) =>
      `${text.slice(0, length - Math.floor(length * kept))}…${text.slice(text.length - Math.floor(length * kept))}`;
  let length = Math.min(text.length - 1, Math.floor((text.length * room) / wide) + 1);
  while (length > 1 && textWidth(context, cut(length)) > room) length--;
  return cut(length);
}

// Events of some width are boxes. Narrower ones are added up for each column of pixels: the more of a column is
// covered, the stronger is its colour. So the work depends on the pixels, and merged events do not look busier than
// they were.
function drawLane(context, lane, model, layout, shades, row) {
  const {track} = lane;
  const {from, to} = model.view;
  const scale = layout.width / (to - from);
  const fill = colours()[kindColour(track.kind)];
  context.fillStyle = fill;
  shades.covered.fill(0);
  const labels = [];
  for (let i = firstEndingAfter(track.end, from); i < track.begin.length && track.begin[i] < to; i++) {
    const left = Math.max(0, (track.begin[i] - from) * scale);
    const right = Math.min(layout.width, (track.end[i] - from) * scale);
    if (right - left >= NARROW) {
      context.fillRect(layout.left + left, lane.top, right - left - 0.5, lane.height);
      if (right - left > 44) labels.push(i, left, right);
    } else {
      cover(shades, left, Math.max(right, left + 0.12));  // even an event without a duration can be seen
    }
  }
  shadeRow(shades, row, fill);
  drawEventNames(context, lane, layout, model, labels, fill);
}

// A picture with one pixel for each column of the screen and one row for each lane. Tens of thousands of rectangles
// would take longer than a frame; stretching rows of a picture does not.
function laneShades(context, layout) {
  const ratio = context.getTransform().a;
  const columns = Math.max(1, Math.round(layout.width * ratio));
  return {ratio, covered: new Float32Array(columns), picture: new ImageData(columns, Math.max(1, layout.lanes.length))};
}

function cover({covered, ratio}, left, right) {
  const end = Math.min(covered.length, right * ratio);
  for (let at = left * ratio; at < end;) {
    const column = Math.floor(at);
    const next = Math.min(end, column + 1);
    covered[column] += next - at;
    at = next;
  }
}

function shadeRow({covered, picture}, row, fill) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(fill.slice(at, at + 2), 16));
  const {data} = picture;
  let at = 4 * row * covered.length;
  for (let column = 0; column < covered.length; column++, at += 4) {
    if (covered[column] <= 0) continue;
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
    data[at + 3] = 255 * Math.max(0.25, Math.min(1, covered[column]));
  }
}

const shadeCanvas = document.createElement('canvas');

function drawShades(context, layout, {picture}) {
  shadeCanvas.width = picture.width;
  shadeCanvas.height = picture.height;
  shadeCanvas.getContext('2d').putImageData(picture, 0, 0);
  context.imageSmoothingEnabled = false;
  layout.lanes.forEach(({top, height}, row) => {
    context.drawImage(shadeCanvas, 0, row, picture.width, 1, layout.left, top, layout.width, height);
  });
}

function eventName(model, track, index) {
  const name = model.names[track.nameIndex[index]] || track.name;
  return track.kind === 'superstep' && track.step[index] >= 0 ? `${name} ${formatCount(track.step[index] + 1)}` : name;
}

// Labels is a flat list of index, left, right.
function drawEventNames(context, lane, layout, model, labels, fill) {
  context.fillStyle = textOn(fill);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const y = lane.top + lane.height / 2 + 0.5;
  for (let i = 0; i < labels.length; i += 3) {
    const room = labels[i + 2] - labels[i + 1] - 10;
    const text = eventName(model, lane.track, labels[i]);
    const shown = fitted(context, text, room);
    if (shown === text || shown.length > 4) context.fillText(shown, layout.left + labels[i + 1] + 5, y);
  }
}
