// Keyboard, mouse and touch on the timeline.

function steerTimeline(view) {
  const {box} = view;
  const {canvas} = view.drawing;
  box.addEventListener('keydown', (event) => timelineKey(view, event));
  box.addEventListener('blur', () => chooseEvent(view, null));
  canvas.addEventListener('dblclick', (event) => {
    zoomView(view.model, 2.5, placeOf(view, event));
    chooseEvent(view, null);
    view.update();
  });
  // Without Ctrl the wheel scrolls the page, as everywhere else on it. A pinch on a touchpad comes as a wheel with
  // Ctrl.
  canvas.addEventListener('wheel', (event) => {
    if (event.ctrlKey)
      zoomView(view.model, Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.01), placeOf(view, event));
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      panView(view.model, (event.deltaX || event.deltaY) / view.layout.width);
    else
      return;
    event.preventDefault();
    chooseEvent(view, null);
    view.update();
  }, {passive: false});
  steerPointers(view, canvas);
}

// The place of a pointer within the lanes, from 0 to 1.
function placeOf(view, event) {
  const x = event.clientX - view.drawing.canvas.getBoundingClientRect().left - view.layout.left;
  return Math.max(0, Math.min(1, x / view.layout.width));
}

function timelineKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const {model} = view;
  const actions = {
    ArrowLeft: () => panView(model, -0.2),
    ArrowRight: () => panView(model, 0.2),
    '+': () => zoomView(model, 1.6, 0.5),
    '=': () => zoomView(model, 1.6, 0.5),
    '-': () => zoomView(model, 1 / 1.6, 0.5),
    _: () => zoomView(model, 1 / 1.6, 0.5),
    0: () => setView(model, 0, model.whole),
    ArrowUp: () => moveLane(view, -1),
    ArrowDown: () => moveLane(view, 1),
    n: () => moveEvent(view, 1),
    p: () => moveEvent(view, -1),
    Escape: () => chooseEvent(view, null),
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  if (/^(Arrow(Left|Right)|[-+=_0])$/.test(event.key)) chooseEvent(view, null);
  action();
  view.update();
}

// To the lane above or below, at its first event in the view.
function moveLane(view, by) {
  const {lanes} = view.layout;
  if (!lanes.length) return;
  const at = view.chosen ? lanes.findIndex((lane) => lane.track === view.chosen.track) : -1;
  const next = at < 0 ? (by > 0 ? 0 : lanes.length - 1) : Math.max(0, Math.min(lanes.length - 1, at + by));
  const {track} = lanes[next];
  const index = Math.min(firstEndingAfter(track.end, view.model.view.from), track.begin.length - 1);
  if (index >= 0) showChosen(view, track, index);
}

function moveEvent(view, by) {
  if (!view.chosen) return moveLane(view, 1);
  const {track, index} = view.chosen;
  const next = index + by;
  if (next < 0 || next >= track.begin.length) return undefined;
  return showChosen(view, track, next);
}

// The view follows a chosen event that lies outside of it.
function showChosen(view, track, index) {
  const {model} = view;
  const {from, to} = model.view;
  if (track.begin[index] > to || track.end[index] < from) {
    const middle = Math.min(track.begin[index] + (to - from) / 4, (track.begin[index] + track.end[index]) / 2);
    setView(model, middle - (to - from) / 2, middle + (to - from) / 2);
  }
  chooseEvent(view, {track, index}, null, true);
}

// The event under a pointer, or up to three pixels beside it: many are thinner than a pointer is exact.
function eventAt(view, event) {
  const rect = view.drawing.canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - rect.left - view.layout.left, event.clientY - rect.top];
  const lane = view.layout.lanes.find((one) => y >= one.row && y < one.row + view.layout.row);
  if (!lane || x < -3 || x > view.layout.width + 3) return null;
  const {from, to} = view.model.view;
  const one = (to - from) / view.layout.width;
  const time = from + x * one;
  const {track} = lane;
  const after = firstEndingAfter(track.end, time);
  const distance = (i) =>
      (i < 0 || i >= track.begin.length ? Infinity : Math.max(0, track.begin[i] - time, time - track.end[i]));
  const index = distance(after) <= distance(after - 1) ? after : after - 1;
  return distance(index) <= 3 * one ? {track, index} : null;
}

function steerPointers(view, canvas) {
  const {model, box, range} = view;
  const pointers = new Map();  // those that are down
  let drag = null;             // how the view was when it began
  const begin = (event) => {
    const rect = canvas.getBoundingClientRect();
    const all = [...pointers.values()];
    const axis = all.length === 1 && event.clientY - rect.top < AXIS_HEIGHT && event.pointerType !== 'touch';
    const middle = sumOf(all.map((one) => one.clientX)) / all.length;
    drag = {
      axis,
      from: model.view.from,
      span: model.view.to - model.view.from,
      x: middle,
      y: event.clientY,
      moved: false,
      apart: all.length > 1 ? Math.abs(all[0].clientX - all[1].clientX) : 0,
      place: placeOf(view, {clientX: middle})
    };
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    pointers.set(event.pointerId, event);
    canvas.setPointerCapture(event.pointerId);
    begin(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return chooseEvent(view, eventAt(view, event), [event.pageX, event.pageY]);
    pointers.set(event.pointerId, event);
    const middle = sumOf([...pointers.values()].map((one) => one.clientX)) / pointers.size;
    if (!drag.moved && Math.abs(middle - drag.x) < 4 && pointers.size === 1) return undefined;
    drag.moved = true;
    chooseEvent(view, null);
    if (drag.axis) return showRange(view, drag.place, placeOf(view, event));
    box.classList.add('dragging');
    return moveDragged(view, drag, [...pointers.values()], middle);
  });
  const end = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    box.classList.remove('dragging');
    if (drag.axis && drag.moved && event.type === 'pointerup')
      takeRange(view, drag.place, placeOf(view, event));
    else if (!drag.moved && event.type === 'pointerup')
      chooseEvent(view, eventAt(view, event), [event.pageX, event.pageY], true);
    range.hidden = true;
    if (pointers.size) begin([...pointers.values()][0]);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse' && !pointers.size) chooseEvent(view, null);
  });
}

// One pointer moves the view, two also stretch it; what was between the fingers stays there.
function moveDragged(view, drag, pointers, middle) {
  const {model, layout} = view;
  let span = drag.span;
  if (pointers.length > 1 && drag.apart > 10) {
    const apart = Math.max(10, Math.abs(pointers[0].clientX - pointers[1].clientX));
    span = Math.min(model.whole, Math.max(model.least, (drag.span * drag.apart) / apart));
  }
  const fixed = drag.from + drag.span * drag.place;
  const place = drag.place + (middle - drag.x) / layout.width;
  const from = Math.max(0, Math.min(model.whole - span, fixed - span * place));
  model.view = {from, to: from + span};
  view.update();
}

function showRange(view, a, b) {
  const {range, layout} = view;
  range.hidden = false;
  range.style.left = `${layout.left + Math.min(a, b) * layout.width}px`;
  range.style.width = `${Math.abs(b - a) * layout.width}px`;
}

function takeRange(view, a, b) {
  const {from, to} = view.model.view;
  if (Math.abs(b - a) * view.layout.width < 4) return;
  setView(view.model, from + (to - from) * Math.min(a, b), from + (to - from) * Math.max(a, b));
  view.update();
}
