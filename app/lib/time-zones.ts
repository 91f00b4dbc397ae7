/** Names that ICU, and so `Intl`, still gives under the spelling of its oldest data, with today's in the IANA time zone database. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** First part of the name of every zone but UTC. */
const TIME_ZONE_REGIONS = [
  'Africa',
  'America',
  'Antarctica',
  'Arctic',
  'Asia',
  'Atlantic',
  'Australia',
  'Europe',
  'Indian',
  'Pacific',
] as const
export type TimeZoneRegion = (typeof TIME_ZONE_REGIONS)[number]

/** Today's name of a zone. */
export const toCurrentTimeZone = (zone: string): string => RENAMED[zone] ?? zone

/** The zone that this device's clock is set to. */
export const getBrowserTimeZone = (): string => toCurrentTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** UTC and every zone that `Intl` knows, each under today's name. */
export const listTimeZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(toCurrentTimeZone)].filter((zone) => zone === 'UTC' || findRegion(zone))),
]

/** Also true for a former name, which a site may have had for years. */
export const isTimeZone = (zone: string): boolean => listTimeZones().includes(toCurrentTimeZone(zone))

const findRegion = (zone: string): TimeZoneRegion | undefined => TIME_ZONE_REGIONS.find((region) => zone.startsWith(`${region}/`))

/** A zone as people say it: "America/Toronto" as "Toronto", "America/Argentina/Buenos_Aires" as "Buenos Aires (Argentina)". */
export function nameTimeZone(zone: string): string {
  const [, ...parts] = zone.replaceAll('_', ' ').split('/')
  const city = parts.at(-1) ?? zone
  return parts.length > 1 ? `${city} (${parts.slice(0, -1).join(', ')})` : city
}

/** Zones by part of the world, each with its city's name, in alphabetical order. */
export function groupTimeZones(zones: readonly string[]): { region: TimeZoneRegion; cities: { zone: string; name: string }[] }[] {
  return TIME_ZONE_REGIONS.map((region) => ({
    region,
    cities: zones
      .filter((zone) => findRegion(zone) === region)
      .map((zone) => ({ zone, name: nameTimeZone(zone) }))
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
  })).filter(({ cities }) => cities.length > 0)
}
