import type { Formatter } from '#app/lib/format.ts'
import type { Interval } from '#app/lib/wilson-interval.ts'

/** The ends of a range as files have them: shares from 0 to 1 with four decimals. Null without a range. */
export const listRangeEnds = (range: Interval | undefined): [from: number | null, until: number | null] =>
  range ? [roundShare(range.from), roundShare(range.until)] : [null, null]

const roundShare = (share: number) => Math.round(share * 10_000) / 10_000

/** “48% (41%–55%)”, or the share only if it has no range. */
export const formatShare = ({ percent }: Pick<Formatter, 'percent'>, share: number, range?: Interval): string =>
  range ? `${percent(share)} (${percent(range.from)}–${percent(range.until)})` : percent(share)
