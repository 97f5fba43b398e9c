// The section of the timeline: its finding, its buttons, its data table, and the event that is shown or chosen.

function addTimeline(data) {
  if (!data || !data.tracks || !data.tracks.some((track) => track.events && track.events.length)) return null;
  const model = timelineModel(data);
  const lanes = el('div', {
    id: 'lanes',
    class: 'plot',
    tabindex: '0',
    role: 'application',
    'aria-label': 'Timeline',
    'aria-describedby': 'timeline-help'
  });
  const status = el('p', {class: 'note', role: 'status', id: 'timeline-status'});
  const finding = timelineFinding(model);
  const section =
      addSection('timeline', 'Timeline', el('p', null, finding, model.note ? ` ${sentence(model.note)}` : ''));
  const view = {model, box: lanes, status, chosen: null, lane: 0, layout: null};
  view.marked = el('div', {class: 'marked', hidden: true});
  view.range = el('div', {class: 'range', hidden: true});
  view.drawing = addCanvas(
      lanes, `Timeline. ${finding}`, (width) => timelineLayout(model, width).height,
      (context, width) => drawTimeline(context, model, width));
  lanes.append(view.range, view.marked);
  view.update = () => updateTimeline(view);
  section.append(timelineControls(view), kindButtons(view), lanes, status, timelineHelp(), laneTable(model));
  steerTimeline(view);
  const redraw = view.drawing.redraw;
  view.drawing.redraw = () => {
    redraw();
    describeView(view);
  };
  view.drawing.redraw();
  return view;
}

function sentence(text) {
  return `${upperFirst(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function busyTime(track) {
  let sum = 0;
  for (let i = 0; i < track.begin.length; i++) sum += track.end[i] - track.begin[i];
  return sum;
}

// Steps and supersteps fill the run by definition, so they say nothing about what was busy.
function timelineFinding(model) {
  const work = model.tracks.filter((track) => track.kind !== 'step' && track.kind !== 'superstep');
  const events = sumOf(model.tracks.map((track) => track.begin.length));
  const size = `${plural(model.tracks.length, 'lane')} with ${plural(events, 'event')}`;
  const text = `${size} over ${formatSeconds(model.whole / 1e6)}.`;
  if (!work.length) return text;
  const shares = work.map((track) => busyTime(track) / model.whole);
  const most = indexOfLargest(shares);
  return `${text} Busy for the longest time: ${work[most].name}, ${formatShare(shares[most])} of the time.`;
}

// Drawn at most once for each frame of the screen.
function updateTimeline(view) {
  if (view.pending) return;
  view.pending = true;
  requestAnimationFrame(() => {
    view.pending = false;
    view.drawing.redraw();
  });
}

// What is shown, for people and for tests, after each drawing.
function describeView(view) {
  const {model, box} = view;
  const {from, to} = model.view;
  view.layout = timelineLayout(model, view.drawing.width || box.clientWidth);
  Object.assign(
      box.dataset, {from, to, left: view.layout.left, width: view.layout.width, lanes: view.layout.lanes.length});
  placeMark(view);
  const span = niceStep((to - from) / 100);
  if (view.chosen && view.aloud) return;  // the text says what that event is
  const whole = formatSeconds(model.whole / 1e6);
  const ends = `${formatTick(from, span, to)} to ${formatTick(to, span, to)}`;
  const text = to - from >= model.whole ? `The whole run is shown, ${whole}.` :
                                          `Shown: ${ends}, ${formatSeconds((to - from) / 1e6)} of ${whole}.`;
  clearTimeout(view.saying);  // a screen reader would read every step of a movement
  view.saying = setTimeout(() => {
    if (view.status.textContent !== text) view.status.textContent = text;
  }, view.status.textContent ? 250 : 0);
}

function timelineControls(view) {
  const {model} = view;
  const button = (id, text, action) => {
    const made = el('button', {type: 'button', id}, text);
    made.addEventListener('click', () => {
      action();
      view.update();
    });
    return made;
  };
  const number = el('input', {type: 'number', id: 'goto', min: 1, step: 1, inputmode: 'numeric'});
  const go = () => {
    if (Number(number.value) >= 1) showSupersteps(view, Number(number.value) - 1, Number(number.value) - 1);
  };
  number.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      go();
      view.update();
    }
  });
  const numbered = model.tracks.some((track) => track.step.some((step) => step >= 0));
  return el(
      'div', {class: 'controls'}, button('zoom-in', 'Zoom in', () => zoomView(model, 2, 0.5)),
      button('zoom-out', 'Zoom out', () => zoomView(model, 0.5, 0.5)),
      button('earlier', 'Earlier', () => panView(model, -0.5)), button('later', 'Later', () => panView(model, 0.5)),
      button('whole', 'Whole run', () => setView(model, 0, model.whole)),
      numbered ? el('span', {class: 'group'}, el('label', { for: 'goto'
                    }, 'Superstep'), number, button('go', 'Show', go)) : null);
}

// Sets the view to some supersteps, counted from 0; their own lane says when they began, if there is one.
function showSupersteps(view, first, last) {
  const {model} = view;
  const own = model.tracks.filter((track) => track.kind === 'superstep');
  let [from, to] = [Infinity, -Infinity];
  for (const track of own.length ? own : model.tracks)
    for (let i = 0; i < track.begin.length; i++)
      if (track.step[i] >= first && track.step[i] <= last) {
        from = Math.min(from, track.begin[i]);
        to = Math.max(to, track.end[i]);
      }
  if (from > to) return false;
  const margin = 0.05 * (to - from);
  setView(model, from - margin, to + margin);
  view.update();
  return true;
}

function kindButtons(view) {
  const {model} = view;
  const box = el('div', {class: 'controls kinds', role: 'group', 'aria-label': 'Kinds of events to show'});
  for (const [kind, name, colour] of KINDS) {
    if (!model.tracks.some((track) => track.kind === kind)) continue;
    const button = el('button', {type: 'button', 'aria-pressed': 'true', 'data-kind': kind}, swatch(colour), name);
    button.addEventListener('click', () => {
      if (!model.hidden.delete(kind)) model.hidden.add(kind);
      button.setAttribute('aria-pressed', String(!model.hidden.has(kind)));
      chooseEvent(view, null);
      view.update();
    });
    box.append(button);
  }
  return box;
}

function timelineHelp() {
  const keys = (...names) => names.flatMap((name, i) => (i ? [' ', el('kbd', null, name)] : [el('kbd', null, name)]));
  return el(
      'div', {class: 'help note', id: 'timeline-help'},
      el('p', null, 'With the keyboard, when the timeline has the focus: ', keys('←', '→'), ' move, ', keys('+', '-'),
         ' zoom, ', keys('0'), ' shows the whole run, ', keys('↑', '↓'), ' choose a lane, ', keys('N', 'P'),
         ' show its next and previous event, ', keys('Esc'), ' hides it.'),
      el('p', null,
         'With the pointer: drag to move, double-click or turn the wheel with Ctrl to zoom, drag along the time axis ' +
             'to choose a range. ' +
             'On a touch screen: one finger moves, two zoom, a tap shows an event. Pale colour: events there are ' +
             'narrower than a pixel and cover a part of the time.'));
}

function laneTable(model) {
  const rows = () => model.tracks.map((track) => {
    const busy = busyTime(track) / 1e6;
    const bytes = sumOf(track.bytes);
    return [
      track.name, track.kind, formatCount(track.begin.length), formatSeconds(busy),
      formatShare((busy * 1e6) / model.whole), bytes > 0 ? formatBytes(bytes) : NONE,
      bytes > 0 && busy > 0 ? formatRate(bytes / busy) : NONE
    ];
  });
  return tableDetails(
      'Table: all lanes', ['lane', 'kind', 'events', 'busy', 'of the time', 'bytes', 'while busy'], rows,
      [false, false, true, true, true, true, true], model.tracks.length > 50);
}

function eventFacts(model, track, index) {
  const duration = (track.end[index] - track.begin[index]) / 1e6;
  // As exact as the event is long: late in a run, three digits would not say where it lies.
  const step = 10 ** (Math.floor(Math.log10(Math.max(0.1, duration * 1e6))) - 1);
  const facts =
      [['begin', formatTick(track.begin[index], step, track.begin[index])], ['duration', formatSeconds(duration)]];
  if (track.step[index] >= 0) facts.push(['superstep', formatCount(track.step[index] + 1)]);
  if (track.bytes[index] > 0) {
    facts.push(['bytes', formatBytes(track.bytes[index])]);
    if (duration > 0) facts.push(['rate', formatRate(track.bytes[index] / duration)]);
  }
  return facts;
}

// Shows an event of a lane, { track, index }, or none. `point` is the place of the pointer on the page, if there is
// one.
function chooseEvent(view, found, point, aloud) {
  Object.assign(view, {chosen: found, aloud});
  if (!found) {
    view.marked.hidden = true;
    hideTip();
    return;
  }
  placeMark(view);
  const name = eventName(view.model, found.track, found.index);
  const facts = eventFacts(view.model, found.track, found.index);
  const box = view.marked.getBoundingClientRect();
  const [x, y] = point || [box.left + Math.min(box.width / 2, 60) + window.scrollX, box.bottom + window.scrollY];
  showTip(name, [['lane', found.track.name], ...facts], x, y);
  if (!aloud) return;
  clearTimeout(view.saying);
  view.status.textContent = `${found.track.name}: ${name}, ${facts.map(([key, text]) => `${key} ${text}`).join(', ')}.`;
}

function placeMark(view) {
  const {chosen, layout, model, marked} = view;
  const lane = chosen && layout && layout.lanes.find((one) => one.track === chosen.track);
  if (!lane) {
    marked.hidden = true;
    return;
  }
  const scale = layout.width / (model.view.to - model.view.from);
  const place = (time) => Math.max(0, Math.min(layout.width, (time - model.view.from) * scale));
  const [left, right] = [place(lane.track.begin[chosen.index]), place(lane.track.end[chosen.index])];
  marked.hidden = lane.track.end[chosen.index] < model.view.from || lane.track.begin[chosen.index] > model.view.to;
  Object.assign(marked.style, {
    left: `${layout.left + left - 2}px`,
    width: `${right - left + 4}px`,
    top: `${lane.top - 2}px`,
    height: `${lane.height + 4}px`
  });
}
