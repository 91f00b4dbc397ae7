import { escapeHtml } from '#app/lib/escape-html.ts'
import { type Goal, GOALS } from './goals.ts'
import type { Figures } from './measurement.ts'

interface Results {
  at: string
  machine: string
  results: Readonly<Record<string, Pick<Figures, 'values' | 'ratios'>>>
}

interface Bar {
  label: string
  /** Requests per second, milliseconds or megabytes. */
  amount: number
  kind: 'product' | 'goal' | 'peer' | 'baseline'
}

const BAR_HEIGHT = 26
const LABEL_WIDTH = 190
const BAR_WIDTH = 420
const NUMBER_WIDTH = 90

/** A page that needs nothing else: each measurement that has a goal, beside it, other products and its baseline. */
export function drawChart({ at, machine, results }: Results): string {
  const sections = Object.entries(results).flatMap(([name, figures]) => {
    const goal = GOALS[name]
    return goal ? [drawSection(`${goal.work}, ${describeUnit(goal)}`, listBars(name, figures))] : []
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Beside the goals</title>
<style>${STYLE}</style>
<h1>Beside the goals</h1>
<p>Measured at ${escapeHtml(at)} on ${escapeHtml(machine)}. The baseline is bare node:http with the same bytes, bare pg with the same rows, or the page without scripts,
in the same run. Figures of other products are those that were published for such a machine.</p>
${sections.join('\n')}
</html>
`
}

const describeUnit = ({ withinMs, withinMb }: Goal): string =>
  withinMs ? 'milliseconds, less is better' : withinMb ? 'megabytes, less is better' : 'requests per second'

/** The baseline of a measurement, by the name of its value. */
const BASELINES = {
  baselinePerSecond: 'bare node:http',
  upsertsPerSecond: 'bare pg',
  insertsPerSecond: 'bare pg',
  baselineMilliseconds: 'without scripts',
  bareHttpMilliseconds: 'bare node:http',
}

function listBars(name: string, { values }: Pick<Figures, 'values'>): Bar[] {
  const goal = GOALS[name]
  const baselines = Object.entries(BASELINES).flatMap(([value, label]): Bar[] =>
    values[value] === undefined ? [] : [{ label, amount: values[value], kind: 'baseline' }],
  )
  const wanted = goal?.withinMs ?? goal?.withinMb ?? goal?.perSecond ?? (goal?.ofBaseline ?? 0) * (baselines[0]?.amount ?? 0)
  return [
    { label: 'Parley', amount: values['perSecond'] ?? values['milliseconds'] ?? values['megabytes'] ?? 0, kind: 'product' },
    { label: 'goal', amount: Math.round(wanted), kind: 'goal' },
    ...Object.entries(goal?.peers ?? {}).map(([label, amount]): Bar => ({ label, amount, kind: 'peer' })),
    ...baselines,
  ]
}

/** Bare servers are so much faster that beside them nothing else could be told apart: longer bars end at the edge. */
function drawSection(work: string, bars: readonly Bar[]): string {
  const longest = Math.max(1, ...bars.filter(({ kind }) => kind !== 'baseline').map(({ amount }) => amount))
  const drawn = bars.map(({ label, amount, kind }, at) => {
    const y = at * BAR_HEIGHT
    const width = Math.max(1, Math.round((Math.min(amount, longest) / longest) * BAR_WIDTH))
    const number = `${amount.toLocaleString('en')}${amount > longest ? ' →' : ''}`
    return `<text x="${LABEL_WIDTH - 10}" y="${y + 18}" text-anchor="end">${escapeHtml(label)}</text>
<rect class="${kind}" x="${LABEL_WIDTH}" y="${y + 4}" width="${width}" height="${BAR_HEIGHT - 8}"/>
<text x="${LABEL_WIDTH + width + 8}" y="${y + 18}">${number}</text>`
  })
  const size = { width: LABEL_WIDTH + BAR_WIDTH + NUMBER_WIDTH, height: bars.length * BAR_HEIGHT }
  const told = bars.map(({ label, amount }) => `${label} ${amount}`).join(', ')
  return `<h2>${escapeHtml(work)}</h2>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(told)}">
${drawn.join('\n')}
</svg>`
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
svg { width: 100%; height: auto; }
text { fill: currentColor; font-size: 15px; }
.product { fill: #1d6fb8; }
.goal { fill: none; stroke: #1d6fb8; stroke-dasharray: 5 3; }
.peer { fill: #9a6a00; }
.baseline { fill: #8a8a8a; }
`
