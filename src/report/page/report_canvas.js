// Drawings on canvas: sizes, colours, axes. All drawings are redrawn when the width or the colours change.

const drawings = [];
let colourCache = null;

const COLOUR_NAMES = [
  'paper', 'panel', 'ink', 'soft', 'line', 'grid', 'focus', 'compute', 'copy', 'disk', 'cpu', 'exchange', 'cached',
  'wait', 'step', 'superstep', 'push', 'pull', 'predicted'
];
const CANVAS_FONT = 'system-ui, -apple-system, \'Segoe UI\', Roboto, \'Helvetica Neue\', Arial, sans-serif';

// The colours of the style sheet, which a canvas cannot name.
function colours() {
  if (colourCache) return colourCache;
  const style = getComputedStyle(document.documentElement);
  colourCache = Object.fromEntries(COLOUR_NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return colourCache;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  colourCache = null;
  for (const drawing of drawings) drawing.redraw();
}

// Black or white, whichever is easier to read on a colour like #0072b2 (relative luminance of WCAG 2).
function textOn(colour) {
  const part = (at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.179 ? '#000000' : '#ffffff';
}

// A canvas in `box` as wide as the box. `height(width)` is in pixels of CSS, as all coordinates of `draw(context,
// width, height)`.
function addCanvas(box, label, height, draw) {
  const canvas = el('canvas', {role: 'img', 'aria-label': label});
  box.append(canvas);
  const drawing = {canvas, width: 0, height: 0};
  drawing.redraw = () => {
    const width = box.clientWidth;
    if (width === 0) return;
    const tall = Math.max(1, Math.round(height(width)));
    const ratio = window.devicePixelRatio || 1;
    const [across, down] = [Math.round(width * ratio), Math.round(tall * ratio)];
    // Setting a size also clears the canvas and is slow, so only a new size is set.
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
      canvas.style.height = `${tall}px`;
    }
    Object.assign(drawing, {width, height: tall});
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, tall);
    context.font = `12px ${CANVAS_FONT}`;
    draw(context, width, tall);
  };
  drawings.push(drawing);
  new ResizeObserver(() => box.clientWidth !== drawing.width && drawing.redraw()).observe(box);
  return drawing;
}

// A step of 1, 2 or 5 times a power of ten, at least `least`.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const found = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9));
  return found * power;
}

// How values of a kind are divided on an axis and written there.
const AXIS_KINDS = {
  seconds:
      {unit: (largest) =>
           (largest < 1e-3  ? 1e-6 :
                largest < 1 ? 1e-3 :
                              1),
       text: formatAxisSeconds},
  bytes: {unit: (largest) => 1024 ** bytePower(largest), text: formatAxisBytes},
  count: {unit: () => 1, text: (value) => (value < 1 ? String(+value.toPrecision(3)) : formatShort(value))},
  share: {unit: () => 0.01, text: (value) => `${Math.round(100 * value)}%`},
};

function formatAxisSeconds(value, unit) {
  return `${+ (value / unit).toPrecision(6)} ${unit === 1 ? 's' : unit === 1e-3 ? 'ms' : 'µs'}`;
}

function formatAxisBytes(value, unit) {
  return `${+ (value / unit).toPrecision(6)} ${BYTE_UNITS[Math.round(Math.log(unit) / Math.log(1024))]}`;
}

// From zero: ticks, the end of the axis, and the place of a value as a share of the height.
function linearScale(kind, largest, most) {
  const {unit: unitOf, text} = AXIS_KINDS[kind];
  const unit = unitOf(largest || 1);
  let step = niceStep((largest || 1) / unit / (most || 4)) * unit;
  if (kind === 'count' && largest >= 1) step = Math.max(1, step);
  const end = kind === 'share' ? largest : Math.max(step, Math.ceil(largest / step - 1e-9) * step);
  const ticks = [];
  for (let value = 0; value <= end * (1 + 1e-9); value += step)
    ticks.push({value, text: value === 0 ? '0' : text(value, unit)});
  return {ticks, place: (value) => value / end};
}

// Powers of ten. Zero has no place on such an axis: it is drawn as nothing. The axis begins a little below the first
// power, so that a value of one can be seen.
function logScale(smallest, largest) {
  const first = Math.floor(Math.log10(smallest) + 1e-9);
  const low = first - 0.35;
  const high = Math.max(first + 1, Math.ceil(Math.log10(largest) - 1e-9));
  const every = Math.ceil((high - first) / 5);
  const ticks = [];
  for (let power = first; power <= high; power += every)
    ticks.push({value: 10 ** power, text: power < 0 ? `1e${power}` : formatShort(10 ** power)});
  return {ticks, place: (value) => (value > 0 ? Math.max(0, (Math.log10(value) - low) / (high - low)) : 0)};
}

// Lines and texts of the vertical axis. The frame is the part of the canvas for data.
function drawScale(context, frame, scale) {
  const palette = colours();
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of scale.ticks) {
    const y = Math.round(frame.top + frame.height * (1 - scale.place(tick.value))) + 0.5;
    context.fillStyle = palette.grid;
    context.fillRect(frame.left, y - 0.5, frame.width, 1);
    context.fillStyle = palette.soft;
    context.fillText(tick.text, frame.left - 8, y);
  }
}

// The place for data on a canvas, beside the texts of the axes and below what is written above the data.
function frameOf(width, height, top = 8) {
  const left = width < 500 ? 58 : 72;
  return {left, top, width: Math.max(10, width - left - 10), height: height - top - 24};
}
