import { expect, test } from 'vitest'
import { drawChart } from './chart.ts'

const draw = (results: Parameters<typeof drawChart>[0]['results']) => drawChart({ at: '2026-11-25', machine: '<2 cores>', results })

test('a chart shows what was measured beside its goal, other products and its baseline', () => {
  const chart = draw({ 'API read': { ratios: {}, values: { perSecond: 1059, baselinePerSecond: 9000 } } })
  expect(chart).toContain('aria-label="Parley 1059, goal 1600, Payload 542, Strapi 438, Directus 372, bare node:http 9000"')
  expect(chart).toContain('&lt;2 cores&gt;')
  // A baseline is cut at the longest other bar, and says so.
  expect(chart).toMatch(/class="goal"[^>]* width="420"/)
  expect(chart).toMatch(/class="baseline"[^>]* width="420"/)
  expect(chart).toContain('9,000 →')
  expect(chart).not.toMatch(/<script|https?:/)
})

test('a goal may be a part of the baseline', () => {
  expect(draw({ 'kept homepage': { ratios: {}, values: { perSecond: 5000, baselinePerSecond: 10_000 } } })).toContain('goal 6000,')
})

test('what has no goal is left out', () => {
  expect(draw({ growth: { ratios: {}, values: { seconds: 200 } } })).not.toContain('<h2>')
})

test('a time is shown beside the time it should take', () => {
  const chart = draw({ 'largest paint': { ratios: {}, values: { milliseconds: 1200, baselineMilliseconds: 1100 } } })
  expect(chart).toContain('aria-label="Parley 1200, goal 1500, Decidim 2500, without scripts 1100"')
  expect(chart).toContain('milliseconds, less is better</h2>')
})

test('memory is shown beside what it may be', () => {
  const chart = draw({ memory: { ratios: {}, values: { started: 180, idle: 190, megabytes: 391 } } })
  expect(chart).toContain('aria-label="Parley 391, goal 450"')
  expect(chart).toContain('megabytes, less is better</h2>')
})
