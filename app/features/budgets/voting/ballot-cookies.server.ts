import { getCookie } from '@tanstack/react-start/server'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { BALLOT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'
import type { Points } from './ballot-rules.ts'

/** What a browser has chosen in a round and not cast yet. */
export interface Choice {
  numbers: readonly number[]
  points: Points
  /** When its ballot was opened, in milliseconds. */
  openedAt: number
  /** Draws the order of the options. */
  seed: string
}

/** After the time and the seed numbers of options, each with its points if it has any: `3_5-12_2`. */
const PATTERN = /^([\da-z]{1,12})\.([\da-f]{1,16})\.((?:\d{1,5}(?:_\d{1,5})?(?:-\d{1,5}(?:_\d{1,5})?)*)?)$/
const MAX_NUMBERS = 300

/** @returns undefined if the browser has none, or something else */
export function readChoice(roundId: string): Choice | undefined {
  const [, opened = '', seed = '', numbers = ''] = PATTERN.exec(getCookie(`${BALLOT_ITEM.name}${roundId}`) ?? '') ?? []
  if (!opened) return undefined
  const chosen = numbers ? numbers.split('-').map((one) => one.split('_').map(Number)) : []
  return {
    openedAt: Number.parseInt(opened, 36),
    seed,
    numbers: [...new Set(chosen.map(([number = 0]) => number))].slice(0, MAX_NUMBERS),
    points: Object.fromEntries(chosen.flatMap(([number = 0, points]) => (points ? [[number, points]] : []))),
  }
}

export const buildChoiceCookie = (ctx: Ctx, roundId: string, { numbers, points, openedAt, seed }: Choice): string => {
  const chosen = numbers.map((number) => (points[number] ? `${number}_${points[number]}` : number)).join('-')
  return buildCookieHeader(BALLOT_ITEM, `${openedAt.toString(36)}.${seed}.${chosen}`, { of: roundId, https: isHttps(ctx) })
}

export const buildExpiredChoiceCookie = (ctx: Ctx, roundId: string): string =>
  buildCookieHeader(BALLOT_ITEM, '', { of: roundId, https: isHttps(ctx), seconds: 0 })
