// Bar charts of the answer: one column for each label, with a data table beneath.

const FIGURE_HEIGHT = 18;  // of the text above a column, which the highest one needs too

function columnChart(chart) {
  const bars = chart.bars;
  const values = bars.map((entry) => entry[2]);
  const largest = indexOfLargest(values);
  const name = upperFirst(chart.title);
  const scaled = chart.log ? ' The scale is logarithmic.' : '';
  const finding = `Most ${chart.y}: ${bars[largest][1]}, ${/^\d/.test(bars[largest][0]) ? `at ${chart.x} ` : ''}${bars[largest][0]}.${scaled}`;
  const plot = el('div', {class: 'plot'});
  const scale = chart.log ? columnLogScale(values) : linearScale('count', largestOf(values), 4);
  const drawing = addCanvas(
      plot, `${name}. ${finding}`, () => 220,
      (context, width, height) => drawColumns(context, frameOf(width, height, FIGURE_HEIGHT), chart, scale));
  hoverColumns(plot, drawing, chart);
  return el(
      'div', {class: 'chart'}, el('h3', null, name), el('p', {class: 'finding'}, finding), plot,
      tableDetails(
          `Table: ${chart.title}`, [chart.x, chart.y], () => bars.map((entry) => [entry[0], entry[1]]), [false, true],
          bars.length > 50));
}

function columnLogScale(values) {
  const positive = values.filter((value) => value > 0);
  if (!positive.length) return linearScale('count', 1, 1);
  return logScale(positive.reduce((a, b) => Math.min(a, b)), largestOf(positive));
}

function drawColumns(context, frame, chart, scale) {
  const palette = colours();
  drawScale(context, frame, scale);
  const slot = frame.width / chart.bars.length;
  const thick = Math.max(1, Math.min(48, slot * 0.75));
  context.textAlign = 'center';
  let free = -Infinity;  // up to where texts below the axis reach
  chart.bars.forEach(([label, text, value], i) => {
    const middle = frame.left + slot * (i + 0.5);
    const tall = value > 0 ? Math.max(1, frame.height * scale.place(value)) : 0;
    context.fillStyle = palette.compute;
    context.fillRect(middle - thick / 2, frame.top + frame.height - tall, thick, tall);
    context.fillStyle = palette.soft;
    context.textBaseline = 'bottom';
    const figure = [text, formatShort(value)].find((candidate) => context.measureText(candidate).width < slot - 4);
    if (figure) context.fillText(figure, middle, frame.top + frame.height - tall - 3);
    context.textBaseline = 'top';
    const half = context.measureText(label).width / 2;
    if (middle - half > free) {
      context.fillText(label, Math.min(middle, frame.left + frame.width + 10 - half), frame.top + frame.height + 6);
      free = middle + half + 8;
    }
  });
  context.fillStyle = palette.soft;
  context.fillRect(frame.left, frame.top + frame.height, frame.width, 1);
}

// The value of the column under the pointer, since texts do not fit above narrow columns.
function hoverColumns(plot, drawing, chart) {
  plot.addEventListener('pointermove', (event) => {
    const frame = frameOf(drawing.width, drawing.height, FIGURE_HEIGHT);
    const index = Math.floor(
        ((event.clientX - plot.getBoundingClientRect().left - frame.left) / frame.width) * chart.bars.length);
    const entry = chart.bars[index];
    if (!entry) return hideTip();
    return showTip(`${chart.x} ${entry[0]}`, [[chart.y, entry[1]]], event.pageX, event.pageY);
  });
  plot.addEventListener('pointerleave', hideTip);
}
