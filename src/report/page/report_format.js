// Numbers as text. Units and digits are those of the command's own tables.

const NONE = '–';

// Three or four significant digits, with commas in thousands.
function digits(number) {
  const size = Math.abs(number);
  const decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return number.toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
}

function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

function formatSeconds(seconds) {
  if (!isNumber(seconds)) return NONE;
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  if (size < 0.9995e-3) return `${digits(seconds * 1e6)} µs`;
  if (size < 0.9995) return `${digits(seconds * 1e3)} ms`;
  if (size < 119.5) return `${digits(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60).toLocaleString('en-US')} h ${minutes % 60} min`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

// The power of 1024 in which a size is written.
function bytePower(bytes) {
  let power = 0;
  for (let size = Math.abs(bytes); size >= 1023.95 && power < BYTE_UNITS.length - 1; size /= 1024) power++;
  return power;
}

function formatBytes(bytes) {
  if (!isNumber(bytes)) return NONE;
  const power = bytePower(bytes);
  if (power === 0) return `${Math.round(bytes)} B`;
  return `${(bytes / 1024 ** power).toFixed(1)} ${BYTE_UNITS[power]}`;
}

function formatCount(count) {
  if (!isNumber(count)) return NONE;
  return count.toLocaleString('en-US', {maximumFractionDigits: Math.abs(count) < 100 ? 1 : 0});
}

// For axes and narrow places.
function formatShort(count) {
  for (const [unit, letter] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']])
    if (Math.abs(count) >= unit) return `${+ (count / unit).toPrecision(3)} ${letter}`;
  if (Math.abs(count) >= 1e5) return `${+ (count / 1e3).toPrecision(3)} k`;
  return formatCount(count);
}

function formatShare(share) {
  if (!isNumber(share)) return NONE;
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return '< 0.1%';
  if (percent < 100 && percent > 99.9) return '> 99.9%';
  return `${percent.toFixed(percent < 9.95 && percent !== 0 ? 1 : 0)}%`;
}

function formatRatio(ratio) {
  return isNumber(ratio) ? `${digits(ratio)} ×` : NONE;
}

// Rates are decimal, as vendors and the command give them.
function formatRate(bytesPerSecond) {
  return isNumber(bytesPerSecond) ? `${digits(bytesPerSecond / 1e9)} GB/s` : NONE;
}

// A place on the timeline, with as many decimals as a distance of `step` needs; both in microseconds.
function formatTick(time, step, largest) {
  const [unit, name] = largest < 1e3 ? [1, 'µs'] : largest < 1e6 ? [1e3, 'ms'] : [1e6, 's'];
  const decimals = Math.min(7, Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  return `${(time / unit).toFixed(decimals)} ${name}`;
}

function plural(count, one, many) {
  return `${formatCount(count)} ${count === 1 ? one : many || `${one}s`}`;
}

function sumOf(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

// Math.max(...values) would put every value on the stack.
function largestOf(values) {
  let largest = 0;
  for (const value of values)
    if (value > largest) largest = value;
  return largest;
}

function indexOfLargest(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++)
    if (values[i] > values[best]) best = i;
  return best;
}
