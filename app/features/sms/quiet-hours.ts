/** Campaigns are not sent between nine in the evening and eight in the morning, recipient's time. */
const QUIET_FROM = 21
const QUIET_UNTIL = 8
const HOUR_MS = 3_600_000

/** Countries with a single time zone, by dialling code. */
const ZONES: readonly (readonly [prefix: string, zone: string])[] = [
  ['+44', 'Europe/London'],
  ['+353', 'Europe/Dublin'],
  ['+33', 'Europe/Paris'],
  ['+64', 'Pacific/Auckland'],
]

/** The time zone of a number's owner if its country has only one; otherwise the site's own. */
export const findTimeZone = (phone: string, siteZone: string): string => ZONES.find(([prefix]) => phone.startsWith(prefix))?.[1] ?? siteZone

/** The end of the current quiet hours in that zone; undefined outside of them. */
export function findQuietEnd(now: Date, zone: string): Date | undefined {
  if (!isQuiet(now, zone)) return undefined
  // In steps of a quarter of an hour, since some zones are offset by that, and by local time, since the clock may change in between.
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
