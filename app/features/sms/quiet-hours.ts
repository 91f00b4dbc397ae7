/** Nobody is sent a campaign from nine in the evening to eight in the morning, where they are. */
const QUIET_FROM = 21
const QUIET_UNTIL = 8
const HOUR_MS = 3_600_000

/** Countries of one zone, by what their numbers begin with. */
const ZONES: readonly (readonly [prefix: string, zone: string])[] = [
  ['+44', 'Europe/London'],
  ['+353', 'Europe/Dublin'],
  ['+33', 'Europe/Paris'],
  ['+64', 'Pacific/Auckland'],
]

/** The time zone a number's owner lives in, as far as the number tells; else the site's own. */
export const findTimeZone = (phone: string, siteZone: string): string => ZONES.find(([prefix]) => phone.startsWith(prefix))?.[1] ?? siteZone

/** The end of the quiet hours, if it is one of them in that zone. */
export function findQuietEnd(now: Date, zone: string): Date | undefined {
  if (!isQuiet(now, zone)) return undefined
  // By quarters of an hour, since zones are off by those; and by the clock, which may be put forward or back meanwhile.
  const start = Math.ceil(now.getTime() / (HOUR_MS / 4)) * (HOUR_MS / 4)
  for (let at = start; at < start + 24 * HOUR_MS; at += HOUR_MS / 4) {
    if (!isQuiet(new Date(at), zone)) return new Date(at)
  }
  return undefined
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function isQuiet(at: Date, zone: string): boolean {
  let clock = clocks.get(zone)
  if (!clock) clocks.set(zone, (clock = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: zone })))
  const hour = Number(clock.format(at))
  return hour >= QUIET_FROM || hour < QUIET_UNTIL
}
