// Which charts of supersteps there are, what each of them finds, and how it is drawn.

function superstepCharts(model) {
  return [timeChart, busyChart, directionChart, activeChart, bytesChart, cacheChart, exchangeChart, memoryChart]
      .map((make) => make(model))
      .filter(Boolean)
      .map((chart) => superstepChart(model, chart));
}

// Computing and waiting are the only two that add up to the time of a superstep, so they alone are stacked.
function timeChart(model) {
  const whole = sumOf(model.seconds);
  if (whole <= 0) return null;
  const at = indexOfLargest(model.seconds);
  const split = model.compute && model.wait;
  const series = split ?
      [
        {name: 'computing', colour: 'compute', values: model.compute},
        {name: 'waiting, no device computed', colour: 'wait', values: model.wait}
      ] :
      [{name: 'time', colour: 'compute', values: model.seconds}];
  if (split && sumOf(model.help || []) > 0) series[1].name = 'waiting, the GPU computed nothing';
  for (const one of series) one.text = (i) => formatSeconds(one.values[i]);
  const scale = linearScale('seconds', largestOf(model.seconds), 5);
  return {
    title: 'Time',
    height: 200,
    series,
    finding: `The longest: ${model.label(at)} with ${formatSeconds(model.seconds[at])}, ` +
        `${formatShare(model.seconds[at] / whole)} of the time.` +
        (split ? ` In ${formatShare(sumOf(model.wait) / whole)} of the time of all supersteps ${
                     series[1].name.slice('waiting, '.length)}.` : ''),
    paint: (context, frame, columns) => paintStack(context, frame, columns, series, model.seconds, scale),
  };
}

// The other phases overlap, with computing and with each other. A row for each resource says how much of the time it
// was busy: a row that is full is what bounds the run.
function busyChart(model) {
  const series =
      [
        ['compute', 'computing', 'compute'], ['copy', 'link', 'copy'], ['disk', 'disk', 'disk'],
        ['help', 'cpu helps', 'cpu'], ['exchange', 'exchange', 'exchange']
      ].filter(([key]) => model[key])
          .map(([key, name,
                 colour]) => ({name, colour, values: model[key], share: sumOf(model[key]) / sumOf(model.seconds)}));
  if (series.length < 2) return null;
  for (const one of series) one.text = (i) => formatShare(model.seconds[i] > 0 ? one.values[i] / model.seconds[i] : 0);
  const busiest = series[indexOfLargest(series.map((one) => one.share))];
  const row = 46;
  return {
    title: 'How busy each resource was',
    height: series.length * row + 32,
    series,
    finding: `Share of the time of each superstep, as these overlap. ` +
        `Busy most of the time: ${busiest.name}, ${formatShare(busiest.share)}.`,
    paint: (context, frame, columns) => series.forEach((one, i) => {
      const lane = {...frame, top: frame.top + i * row, height: row - 12};
      paintShareRow(context, lane, columns, one, model.seconds);
    }),
  };
}

function paintShareRow(context, lane, columns, one, seconds) {
  const palette = colours();
  context.fillStyle = palette.grid;
  context.fillRect(lane.left, lane.top, lane.width, lane.height);
  context.fillStyle = palette[one.colour];
  for (const column of columns) {
    const time = meanIn(column, seconds);
    const share = time > 0 ? Math.min(1, meanIn(column, one.values) / time) : 0;
    const tall = Math.round(share * lane.height);
    context.fillRect(column.x, lane.top + lane.height - tall, Math.max(1, column.width), tall);
  }
  context.fillStyle = palette.soft;
  context.textAlign = 'right';
  context.textBaseline = 'top';
  context.fillText('100%', lane.left - 8, lane.top - 1);
  context.textBaseline = 'bottom';
  context.fillText('0', lane.left - 8, lane.top + lane.height + 2);
}

function directionChart(model) {
  if (!model.pull || isConstant(model.pull)) return null;
  const pulls = sumOf(model.pull) * model.per;
  const share = pulls / (model.size * model.per);
  const text = (part) =>
      (model.per > 1 ? formatShare(part) : '');  // of one superstep, the text beside the slider says it
  return {
    title: 'Direction',
    height: 62,
    finding: model.per > 1 ?
        `${formatShare(share)} of the supersteps pull, the others push.` :
        `${plural(pulls, 'superstep pulls', 'supersteps pull')}, ${plural(model.size - pulls, 'pushes', 'push')}.`,
    series: [
      {name: 'push', colour: 'push', text: (i) => text(1 - model.pull[i])},
      {name: 'pull', colour: 'pull', text: (i) => text(model.pull[i])}
    ],
    paint: (context, frame, columns) => {
      const palette = colours();
      for (const column of columns) {
        const tall = Math.round(frame.height * meanIn(column, model.pull));
        context.fillStyle = palette.push;
        context.fillRect(column.x, frame.top, Math.max(1, column.width), frame.height - tall);
        context.fillStyle = palette.pull;
        context.fillRect(column.x, frame.top + frame.height - tall, Math.max(1, column.width), tall);
      }
    },
  };
}

function activeChart(model) {
  const values = model.active;
  if (!values || isConstant(values)) return null;
  const at = indexOfLargest(values);
  const smallest = values.reduce((least, value) => (value > 0 && value < least ? value : least), Infinity);
  const wide = values[at] / smallest > 1000;  // small frontiers would be invisible on a linear scale
  const scale = wide ? logScale(smallest, values[at]) : linearScale('count', values[at], 4);
  return {
    title: 'Active vertices',
    height: 180,
    finding: `Most: ${formatCount(values[at])}, in ${model.label(at)}. ` +
        `Fewest, apart from none: ${formatCount(smallest)}.${wide ? ' The scale is logarithmic.' : ''}`,
    series: [{name: 'active vertices', colour: 'compute', text: (i) => formatCount(values[i])}],
    paint: (context, frame, columns) => {
      drawScale(context, frame, scale);
      paintSteps(context, frame, columns, values, 'compute', scale, true);
    },
  };
}

// Where the bytes of needed pages came from. On a GPU, bytes from disk come over the link too: they would be counted
// twice in a stack, so they are a line. On a CPU they are part of the stack.
function bytesChart(model) {
  const overLink = Boolean(model.loaded_bytes);
  const near = overLink || model.device_memory ? 'found in GPU memory' : 'found in host memory';
  const series =
      [
        ['cached_bytes', near, 'cached'], ['loaded_bytes', 'copied over the link', 'copy'],
        ['helped_bytes', 'taken by the cpu', 'cpu'], ...(overLink ? [] : [['disk_bytes', 'read from disk', 'disk']])
      ].filter(([key]) => model[key])
          .map(([key, name, colour]) => ({name, colour, values: model[key], text: (i) => formatBytes(model[key][i])}));
  if (!series.length) return null;
  const sums = model.seconds.map((_, i) => sumOf(series.map((one) => one.values[i])));
  const line = overLink && model.disk_bytes;
  const whole = sumOf(sums);
  const scale = linearScale('bytes', Math.max(largestOf(sums), line ? largestOf(model.disk_bytes) : 0), 4);
  const parts = series.map((one) => `${formatShare(sumOf(one.values) / whole)} ${one.name}`).join(', ');
  const shown = line ?
      [
        ...series,
        {name: 'read from disk before', colour: 'disk', line: true, text: (i) => formatBytes(model.disk_bytes[i])}
      ] :
      series;
  return {
    title: 'Bytes of pages by origin',
    height: 200,
    series: shown,
    finding: `Of ${formatBytes(whole)}: ${parts}.` +
        (line ? ` ${formatBytes(sumOf(model.disk_bytes))} were read from disk before.` : ''),
    paint: (context, frame, columns) => {
      paintStack(context, frame, columns, series, sums, scale);
      if (line) paintSteps(context, frame, columns, model.disk_bytes, 'disk', scale);
    },
  };
}

function cacheChart(model) {
  const far = model.loaded_bytes || model.disk_bytes;
  if (!model.cached_bytes || !far) return null;
  const near = model.cached_bytes;
  const shares = near.map((value, i) => (value + far[i] > 0 ? value / (value + far[i]) : 0));
  const whole = sumOf(near) / (sumOf(near) + sumOf(far));
  const scale = linearScale('share', 1, 2);
  return {
    title: 'Cache hits',
    height: 130,
    finding: `${formatShare(whole)} of the bytes were found in the cache; ` +
        `at best ${formatShare(largestOf(shares))}, in ${model.label(indexOfLargest(shares))}.`,
    series: [{name: 'share of bytes found in the cache', colour: 'cached', text: (i) => formatShare(shares[i])}],
    paint: (context, frame, columns) => {
      drawScale(context, frame, scale);
      paintSteps(context, frame, columns, shares, 'cached', scale, true);
    },
  };
}

function exchangeChart(model) {
  const values = model.exchanged_bytes;
  if (!values) return null;
  const at = indexOfLargest(values);
  const scale = linearScale('bytes', values[at], 3);
  const series = [{name: 'exchanged', colour: 'exchange', values, text: (i) => formatBytes(values[i])}];
  return {
    title: 'Messages between devices',
    height: 130,
    series,
    finding: `${formatBytes(sumOf(values))} in all; most in ${model.label(at)}, ${formatBytes(values[at])}.`,
    paint: (context, frame, columns) => paintStack(context, frame, columns, series, values, scale),
  };
}

function memoryChart(model) {
  const series = [['host_memory', 'host memory', 'cpu'], ['device_memory', 'device memory', 'compute']]
                     .filter(([key]) => model[key])
                     .map(
                         ([key, name, colour]) =>
                             ({name, colour, line: true, values: model[key], text: (i) => formatBytes(model[key][i])}));
  if (!series.length) return null;
  const scale = linearScale('bytes', largestOf(series.map((one) => largestOf(one.values))), 4);
  return {
    title: 'Memory',
    height: 160,
    series,
    finding: `${series.map((one) => `At most ${formatBytes(largestOf(one.values))} of ${one.name}`).join('. ')}.`,
    paint: (context, frame, columns) => {
      drawScale(context, frame, scale);
      for (const one of series) paintSteps(context, frame, columns, one.values, one.colour, scale);
    },
  };
}
