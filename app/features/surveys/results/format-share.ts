import type { Formatter } from '#app/lib/format.ts'
import type { Interval } from '#app/lib/wilson-interval.ts'

/** “48% (41%–55%)”, or the share only if it has no range. */
export const formatShare = ({ percent }: Pick<Formatter, 'percent'>, share: number, range?: Interval): string =>
  range ? `${percent(share)} (${percent(range.from)}–${percent(range.until)})` : percent(share)
