import { expect, test } from 'vitest'
import {
  checkCircuitBreaker,
  FAILURES_BEFORE_PAUSE,
  type HealthEvent,
  type HealthState,
  computeNextHealth,
  UNTESTED,
} from './circuit-breaker.ts'

const NOW = new Date('2026-05-01T12:00:00Z')
const after = (events: readonly HealthEvent[], from: HealthState = UNTESTED) =>
  events.reduce((state, event) => computeNextHealth(state, event, NOW), from)
const failures = (count: number): HealthEvent[] => Array.from({ length: count }, () => 'provider-down')
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

test('counts failures, and resets them on success', () => {
  expect(after(failures(1))).toEqual({ health: 'failing', failures: 1, pausedUntil: null })
  expect(after([...failures(3), 'ok'])).toEqual({ health: 'working', failures: 0, pausedUntil: null })
})

test('pauses a failing service for longer each time, up to a quarter of an hour', () => {
  const pause = (count: number) => ((after(failures(count)).pausedUntil?.getTime() ?? NOW.getTime()) - NOW.getTime()) / 1000
  expect(
    [
      FAILURES_BEFORE_PAUSE - 1,
      FAILURES_BEFORE_PAUSE,
      FAILURES_BEFORE_PAUSE + 1,
      FAILURES_BEFORE_PAUSE + 2,
      FAILURES_BEFORE_PAUSE + 40,
    ].map(pause),
  ).toEqual([0, 30, 60, 120, 900])
})

test('being asked to slow down is not a failure', () => {
  expect(after(['provider-busy', 'provider-busy']).failures).toBe(0)
  expect(after([...failures(2), 'provider-busy']).failures).toBe(2)
})

test('sends nothing during a pause; afterwards one trial request goes out while the others wait', () => {
  const down = after(failures(FAILURES_BEFORE_PAUSE))
  expect(checkCircuitBreaker(down, inSeconds(29))).toEqual({ ok: false })
  const tried = checkCircuitBreaker(down, inSeconds(31))
  expect(tried.ok).toBe(true)
  expect(checkCircuitBreaker(tried.trial ?? down, inSeconds(32))).toEqual({ ok: false })
  expect(checkCircuitBreaker(computeNextHealth(tried.trial ?? down, 'ok', inSeconds(32)), inSeconds(33))).toEqual({ ok: true })
})
