// Charts of the supersteps, all with the same horizontal axis. One superstep is chosen, by the slider or the pointer;
// the legends show its values.

function addSupersteps(steps) {
  const size = steps && steps.seconds ? steps.seconds.length : 0;
  if (size === 0) return null;
  const model = superstepModel(steps, size);
  const charts = superstepCharts(model).filter(Boolean);
  const pick = picker(model, charts);
  addSection(
      'supersteps', 'Supersteps', el('p', null, superstepText(model)), pick.bar,
      el('div', {class: 'pair'}, ...charts.map((chart) => chart.box)), superstepTable(model));
  if (charts.length) charts[0].box.classList.add('first');  // as wide as the page
  pick.choose(indexOfLargest(model.seconds));
  return pick;
}

function superstepText(model) {
  const texts = [
    'A superstep is a round of the algorithm: active vertices send values along their edges (push), or others collect ' +
        'them (pull).',
    `${plural(model.count, 'superstep')}, ${formatSeconds(sumOf(model.seconds))} in all.`
  ];
  texts.push(...alwaysSame(model));
  if (model.per > 1)
    texts.push(`Each entry stands for ${formatCount(model.per)} supersteps: times and bytes are sums,`);
  if (model.per > 1) texts.push('active vertices are means, memory is the largest.');
  const one = model.per > 1 ? 'entry' : 'superstep';
  texts.push(`Move over a chart or use the slider to read the values of one ${one}.`);
  if (model.size > 250) texts.push('Where entries are narrower than a pixel, the largest is drawn.');
  return texts.join(' ');
}

// What is the same in all supersteps needs a sentence, not a chart.
function alwaysSame(model) {
  const parts = [];
  if (model.pull && isConstant(model.pull) && (model.pull[0] === 0 || model.pull[0] === 1))
    parts.push(`All of them ${model.pull[0] ? 'pull' : 'push'}.`);
  if (model.active && isConstant(model.active))
    parts.push(`${formatCount(model.active[0])} vertices are active in each.`);
  return parts;
}

function isConstant(values) {
  return values.every((value) => value === values[0]);
}

// The arrays of the data; null where missing or zero throughout, so that no chart of nothing is drawn.
function superstepModel(steps, size) {
  const model = {size, per: steps.per || 1, count: steps.count || size};
  for (const key
           of ['active', 'seconds', 'expected_seconds', 'edges', 'bytes', 'loaded_bytes', 'cached_bytes', 'disk_bytes', 'helped_bytes',
               'exchanged_bytes', 'compute', 'help', 'copy', 'disk', 'exchange', 'wait', 'host_memory',
               'device_memory']) {
    const values = steps[key];
    model[key] = values && values.length === size && values.some((value) => value > 0) ? values : null;
  }
  model.seconds = steps.seconds;
  model.method = steps.method && steps.method.length === size ? steps.method : null;
  model.pull = steps.direction && steps.direction.length === size ? steps.direction.map(
                                                                        (value) =>
                                                                            (isNumber(value)      ? value :
                                                                                 value === 'pull' ? 1 :
                                                                                                    0)) :
                                                                    null;
  model.first = (i) => i * model.per + 1;
  model.last = (i) => Math.min(model.count, (i + 1) * model.per);
  model.label = (i) =>
      (model.per === 1 ? `superstep ${formatCount(i + 1)}` :
                         `supersteps ${formatCount(model.first(i))} to ${formatCount(model.last(i))}`);
  return model;
}

// The slider and what it says. `choose(i)` moves the marks in all charts.
function picker(model, charts) {
  const input = el('input', {type: 'range', id: 'chosen', min: 0, max: model.size - 1, step: 1});
  const output = el('output', { for: 'chosen'
  });
  const show = el('button', {type: 'button', id: 'to-timeline', hidden: true}, 'Show in the timeline');
  const bar = el('div', {class: 'pick'}, el('label', { for: 'chosen'
                 }, 'Superstep'), input, output, show);
  const pick = {bar, show, chosen: 0, model};
  pick.choose = (index) => {
    pick.chosen = Math.max(0, Math.min(model.size - 1, index));
    input.value = pick.chosen;
    const way = model.pull && model.per === 1 ? (model.pull[pick.chosen] ? ', pull' : ', push') : '';
    const text = `${upperFirst(model.label(pick.chosen))}: ${formatSeconds(model.seconds[pick.chosen])}${way}`;
    output.textContent = text;
    input.setAttribute('aria-valuetext', text);
    for (const chart of charts) chart.mark(pick.chosen);
  };
  input.addEventListener('input', () => pick.choose(Number(input.value)));
  let waiting = null;  // the pointer moves more often than the screen is drawn
  for (const chart of charts) {
    const follow = (event) => {
      const index = chart.indexAt(event.clientX);
      if (waiting === null)
        requestAnimationFrame(() => {
          pick.choose(waiting);
          waiting = null;
        });
      waiting = index;
    };
    chart.plot.addEventListener('pointermove', follow);
    chart.plot.addEventListener('pointerdown', follow);
  }
  return pick;
}

// A chart: { title, finding, height, series: [{ name, colour, line, text(i) }], paint(context, frame, columns) }.
function superstepChart(model, chart) {
  const plot = el('div', {class: 'plot scrub'});
  const cursor = el('div', {class: 'cursor'});
  const names = legend(chart.series);
  const box =
      el('div', {class: 'chart'}, el('h3', null, chart.title), el('p', {class: 'finding'}, chart.finding), names.list,
         plot);
  const drawing = addCanvas(plot, `${chart.title}. ${chart.finding}`, () => chart.height, (context, width, height) => {
    const frame = frameOf(width, height);
    chart.paint(context, frame, columnsOf(model.size, frame));
    drawSuperstepAxis(context, frame, model);
    mark(marked);
  });
  plot.append(cursor);
  let marked = 0;
  const mark = (index) => {
    marked = index;
    const frame = frameOf(drawing.width, drawing.height);
    const wide = frame.width / model.size;
    cursor.style.left = `${frame.left + index * wide + Math.min(0, (wide - 3) / 2)}px`;
    cursor.style.width = `${wide}px`;
    cursor.style.top = `${frame.top}px`;
    cursor.style.height = `${frame.height}px`;
    chart.series.forEach((series, i) => {
      names.values[i].textContent = series.text(index);
    });
  };
  const indexAt = (clientX) => {
    const frame = frameOf(drawing.width, drawing.height);
    return Math.floor(((clientX - plot.getBoundingClientRect().left - frame.left) / frame.width) * model.size);
  };
  return {box, plot, drawing, mark, indexAt};
}

// Which entries share a column of the drawing: one each if there is room, else as many as share a pixel.
function columnsOf(size, frame) {
  const count = Math.min(size, Math.floor(frame.width));
  const wide = frame.width / count;
  const gap = wide > 12 ? 2 : wide > 4 ? 1 : 0;
  return Array.from(
      {length: count}, (_, i) => ({
                         x: frame.left + i * wide,
                         width: wide - gap,
                         slot: wide,
                         first: Math.floor((i * size) / count),
                         last: Math.max(Math.floor((i * size) / count) + 1, Math.floor(((i + 1) * size) / count)),
                       }));
}

function largestIn(column, values) {
  let best = column.first;
  for (let i = column.first + 1; i < column.last; i++)
    if (values[i] > values[best]) best = i;
  return best;
}

function meanIn(column, values) {
  let sum = 0;
  for (let i = column.first; i < column.last; i++) sum += values[i];
  return sum / (column.last - column.first);
}

function drawSuperstepAxis(context, frame, model) {
  const palette = colours();
  const bottom = frame.top + frame.height;
  context.fillStyle = palette.soft;
  context.fillRect(frame.left, bottom, frame.width, 1);
  context.textBaseline = 'top';
  context.textAlign = 'left';
  context.fillText('superstep', Math.max(0, frame.left - 68), bottom + 7);
  context.textAlign = 'center';
  const slots = Math.max(2, Math.floor(frame.width / (model.count < 1000 ? 32 : 60)));
  const step = Math.max(1, niceStep(model.count / slots));
  for (let number = step === 1 ? 1 : step; number <= model.count; number += step) {
    const x = frame.left + (frame.width * (number - 0.5)) / (model.per * model.size);
    if (x < frame.left + frame.width - 8) context.fillText(formatShort(number), x, bottom + 7);
  }
}

// Bars on top of each other; in a shared column, those of the entry with the largest sum.
function paintStack(context, frame, columns, series, sums, scale) {
  const palette = colours();
  drawScale(context, frame, scale);
  const bottom = frame.top + frame.height;
  for (const column of columns) {
    const entry = largestIn(column, sums);
    let below = 0;
    for (const one of series) {
      const from = Math.round(bottom - frame.height * scale.place(below));
      below += one.values[entry];
      const to = Math.round(bottom - frame.height * scale.place(below));
      context.fillStyle = palette[one.colour];
      context.fillRect(column.x, to, Math.max(1, column.width), from - to);
    }
  }
}

// A line that stays level within an entry. Values between supersteps do not exist, so no slopes are drawn.
function paintSteps(context, frame, columns, values, colour, scale, filled) {
  const bottom = frame.top + frame.height;
  context.beginPath();
  columns.forEach((column, i) => {
    const y = bottom - frame.height * scale.place(values[largestIn(column, values)]);
    if (i === 0) context.moveTo(column.x, y);
    context.lineTo(column.x, y);
    context.lineTo(column.x + column.slot, y);
  });
  context.strokeStyle = colours()[colour];
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.stroke();
  if (!filled) return;
  context.lineTo(frame.left + frame.width, bottom);
  context.lineTo(frame.left, bottom);
  context.globalAlpha = 0.2;
  context.fillStyle = colours()[colour];
  context.fill();
  context.globalAlpha = 1;
}

function superstepTable(model) {
  const columns = [
    ['active', 'active', formatCount], ['method', 'method', (text) => text], ['seconds', 'time', formatSeconds],
    ['expected_seconds', 'expected', formatSeconds], ['compute', 'computing', formatSeconds],
    ['wait', 'waiting', formatSeconds], ['copy', 'link busy', formatSeconds], ['disk', 'disk busy', formatSeconds],
    ['help', 'cpu helps', formatSeconds], ['exchange', 'exchanging', formatSeconds], ['edges', 'edges', formatCount],
    ['bytes', 'bytes read', formatBytes], ['cached_bytes', 'cached', formatBytes],
    ['loaded_bytes', 'over the link', formatBytes], ['disk_bytes', 'from disk', formatBytes],
    ['helped_bytes', 'taken by the cpu', formatBytes], ['exchanged_bytes', 'exchanged', formatBytes],
    ['host_memory', 'host memory', formatBytes], ['device_memory', 'device memory', formatBytes]
  ].filter(([key]) => model[key]);
  const direction = (i) => (model.per > 1 ? `${formatShare(model.pull[i])} pull` : model.pull[i] ? 'pull' : 'push');
  const heads = ['superstep', ...(model.pull ? ['direction'] : []), ...columns.map(([, name]) => name)];
  const rows = () => Array.from(
      {length: model.size},
      (_, i) =>
          [model.label(i).replace(/^supersteps? /, ''), ...(model.pull ? [direction(i)] : []),
           ...columns.map(([key, , format]) => format(model[key][i]))]);
  return tableDetails(
      'Table: all supersteps', heads, rows, [true, ...(model.pull ? [false] : []), ...columns.map(() => true)],
      model.size > 50);
}
