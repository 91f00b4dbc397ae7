import { geocodeAddress } from '#app/features/marketplace/geocoding.server.ts'
import { findPlacesInData } from '#app/features/opencities/find-place.server.ts'
import { type Box, isInBox, type Position } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import { findAreaByPostcode } from '../areas.server.ts'
import { isPointInside } from '../polygons.schema.ts'
import { cleanName } from '../streets/map-tile.server.ts'
import { obtainMapNames } from '../streets/map-names.server.ts'
import { findNames, foldName, type NameIndex, prepareWords, type RankedName, rankFit, splitTyped } from '../streets/rank-names.server.ts'
import { widenBox } from './map-boxes.server.ts'
import { measureBox } from './map-view.schema.ts'
import { readSiteMap, type SiteMap } from './site-map.server.ts'

/** What a search of the map found. */
export interface FoundOnMap {
  name: string
  /** The area in which it lies, if the site has areas. */
  note: string
  /** What to show of the map. */
  box: Box
  /** Of an area. */
  areaId?: string
  /** Where a pin is put; absent for an area. */
  point?: Position
  /** The street of an address whose house number nothing here knows. */
  isWithoutNumber?: true
}

/** A place with a name that only the caller knows, such as what was published in an activity. */
export interface NamedPoint {
  name: string
  point: Position
}

const MAX_FOUND = 8
/** What is shown around a single place, in degrees. */
const AROUND = { lng: 0.006, lat: 0.004 }
/** From so many letters on, open data are searched too. */
const LEAST_DATA_LETTERS = 3

const LEAST_GEOCODED_LETTERS = 4
const MAX_LABEL_LETTERS = 120

/** A house number, such as 12 or 12b. */
const HOUSE_NUMBER = /^\d{1,5}[a-z]?$/

/**
 * What the site knows under a name or its beginning, best first: its areas and postcodes, the streets and places of its map file, points that the
 * caller knows, places of published datasets, and addresses of the site's own address service. A map file is no register of addresses: without those, an
 * address finds its street. Not to be called within a transaction, because an address service may be waited for.
 */
export async function searchOnMap(ctx: Ctx, text: string, known: readonly NamedPoint[] = []): Promise<FoundOnMap[]> {
  const words = splitTyped(text)
  if (words.length === 0) return []
  const map = await readSiteMap(ctx)
  const index = map.file ? await obtainMapNames(ctx, map.file) : []
  const named: Fitting[] = [
    ...findAreas(map, words),
    ...(await findPostcode(ctx, map, text)),
    ...searchNames(ctx, { map, index }, words),
    ...known.flatMap((each) => fitKnown(map, each, words)),
  ]
  const found = named.toSorted((a, b) => a.fit - b.fit).map((each) => each.found)
  if (text.trim().length >= LEAST_DATA_LETTERS && found.length < MAX_FOUND) {
    const data = await ctx.db.read((tx) => findPlacesInData(ctx, tx, text, map.box, MAX_FOUND))
    found.push(...data.map((each) => toFound(map, each)))
  }
  found.push(...(await findByGeocoder(ctx, map, text, found.length)))
  return dropRepeated(found.length > 0 ? found : findWithoutNumber(ctx, { map, index }, words)).slice(0, MAX_FOUND)
}

/** Only what needs it goes to the site's address service: a house number, or what nothing here has found. */
async function findByGeocoder(ctx: Ctx, map: SiteMap, text: string, found: number): Promise<FoundOnMap[]> {
  const isNeeded = found === 0 || (/\d/.test(text) && found < MAX_FOUND)
  if (!map.box || !isNeeded || text.trim().length < LEAST_GEOCODED_LETTERS) return []
  const addresses = await geocodeAddress(ctx, { text: text.trim(), box: map.box })
  return addresses.map(({ label, point }) => toFound(map, { name: cleanName(label, MAX_LABEL_LETTERS), point }))
}

/** With how well its name fits, as `rankFit` says it. */
interface Fitting {
  found: FoundOnMap
  fit: number
}

function fitKnown(map: SiteMap, { name, point }: NamedPoint, words: readonly string[]): Fitting[] {
  const fit = isInMap(map, point) ? rankFit(foldName(name), prepareWords(words)) : undefined
  return fit === undefined ? [] : [{ found: toFound(map, { name, point }), fit }]
}

const isInMap = ({ box }: SiteMap, point: Position): boolean => !box || isInBox(point, box)

const findAreaAt = (map: SiteMap, point: Position) => map.areas.find(({ rings }) => isPointInside(point, rings))

/** @param box of a street or a place, to see all of it */
function toFound(map: SiteMap, { name, point, box }: NamedPoint & { box?: Box | undefined }): FoundOnMap {
  const [lng, lat] = point
  const around: Box = [lng - AROUND.lng, lat - AROUND.lat, lng + AROUND.lng, lat + AROUND.lat]
  const isSeenWhole = box && (box[2] - box[0] > AROUND.lng * 2 || box[3] - box[1] > AROUND.lat * 2)
  return { name, note: findAreaAt(map, point)?.name ?? '', point, box: widenBox(isSeenWhole ? box : around) }
}

const toFoundArea = (area: SiteMap['areas'][number]): FoundOnMap => ({
  name: area.name,
  note: '',
  areaId: area.id,
  box: measureBox([area]),
})

const findAreas = (map: SiteMap, words: readonly string[]): Fitting[] =>
  map.areas.flatMap((area) => {
    const fit = rankFit(foldName(area.name), prepareWords(words))
    return fit === undefined ? [] : [{ found: toFoundArea(area), fit }]
  })

async function findPostcode(ctx: Ctx, map: SiteMap, text: string): Promise<Fitting[]> {
  if (!/\d/.test(text)) return []
  const id = await ctx.db.read((tx) => findAreaByPostcode(ctx, tx, text))
  return map.areas.filter((area) => area.id === id).map((area) => ({ found: toFoundArea(area), fit: 0 }))
}

interface Searched {
  map: SiteMap
  index: NameIndex
}

/** Streets and places by all words; if there is none, by those beside the name of an area that was typed as well: "Mill Lane, Old Town". */
function searchNames({ language }: Pick<Ctx, 'language'>, { map, index }: Searched, words: readonly string[]): Fitting[] {
  const show = (ranked: readonly RankedName[]) =>
    ranked.slice(0, MAX_FOUND).map(({ name, fit, entry: { at, box } }) => ({
      found: toFound(map, { name, point: at, box }),
      fit,
    }))
  const whole = findNames(index, words, language)
  if (whole.length > 0) return show(whole)
  return map.areas.flatMap((area) => {
    const folded = foldName(area.name)
    const rest = words.filter((word) => !folded.includes(` ${word}`))
    if (rest.length === words.length) return []
    return show(findNames(index, rest, language).filter(({ entry: { at } }) => isPointInside(at, area.rings)))
  })
}

function findWithoutNumber(ctx: Pick<Ctx, 'language'>, searched: Searched, words: readonly string[]): FoundOnMap[] {
  const rest = words.filter((word) => !HOUSE_NUMBER.test(word))
  if (rest.length === words.length) return []
  return searchNames(ctx, searched, rest).map(({ found }) => ({ ...found, isWithoutNumber: true }))
}

/** The same name in the same area is offered once. */
function dropRepeated(found: readonly FoundOnMap[]): FoundOnMap[] {
  const seen = new Set<string>()
  return found.filter(({ name, note }) => {
    const key = `${foldName(name)}|${note}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
