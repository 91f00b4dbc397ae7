import { isMapPress } from '#app/features/areas/map/press-map.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Geometry } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type FormValues, readText } from '#app/server/forms.ts'
import type { FormState } from '#app/server/request-context.ts'
import { type ActivityAddress, type PlacedActivity, requireActivityAt } from '../record/activities.policy.server.ts'
import { isNextStep } from '../record/contributions.schema.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { checkContribution, type ContributionInput } from './submit-contribution.server.ts'
import type { ContributionRow, PlacedContribution } from '../record/loading.server.ts'
import type { PlaceWritingView } from '../record/places.schema.ts'
import { buildGeometry, findShape, formatPoints, listDrawnPoints, parsePoints } from '../record/drawing.schema.ts'
import { searchPlacesAt } from '../places/search-places.server.ts'
import { buildPlaceWriting, describeTypedPlace, readPlaceStep, readRemovedPoint, readTypedPlace } from '../places/typed-place.server.ts'

/** Buttons that change the map or go back, and check nothing. */
const MAP_STEPS = ['find', 'nearer', 'farther', 'clear', 'change', 'shape', 'undo', 'finish', 'resume']

const isMapStep = (values: FormValues): boolean => {
  const step = readPlaceStep(values)
  return isMapPress(values) || MAP_STEPS.includes(step) || readRemovedPoint(step) !== undefined
}

const toDegrees = (text: string): number => (text ? Number(text) : Number.NaN)

/** What is on the form's map as GeoJSON, or null; what is no number is left for the check. */
export function readTypedGeometry({ shape, points, lng, lat }: FormValues): Geometry | null {
  if (shape === 'lines' || shape === 'areas')
    return typeof points === 'string' && points.trim() ? buildGeometry(shape, parsePoints(points)) : null
  if (typeof lng !== 'string' || typeof lat !== 'string' || !(lng || lat)) return null
  return { type: 'Point', coordinates: [toDegrees(lng), toDegrees(lat)] }
}

/**
 * The buttons of the map's form: all but the last one show the form again, with everything typed, as `not-sent-yet`.
 * @throws {AppError} `not-sent-yet`; `invalid` with a fault for each field
 */
export async function takePlaceStep(
  ctx: Ctx,
  address: ActivityAddress,
  values: FormValues,
  written: Omit<ContributionInput, 'id' | 'sendKey'>,
): Promise<void> {
  if (values['place'] === 'send' && !isMapPress(values)) return
  await askForPlace(ctx, address, values)
  await ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, address)
    if (!readActivitySettings(placed.activity).tools.places) return
    // A file that was refused is no longer in the form: that is said at once.
    await takeMapStep(ctx, tx, placed, { values, faults: (written.photos?.faults ?? []).filter(({ code }) => code !== 'required') })
    await checkContribution(ctx, tx, placed, written)
    throw new AppError('not-sent-yet')
  })
}

/**
 * A button of the map was pressed, or the map itself: the form comes back with what it changed.
 * @throws {AppError} `not-sent-yet`; `invalid` with its faults and the given ones
 */
async function takeMapStep(ctx: Ctx, tx: Tx, placed: PlacedActivity, { values, faults }: { values: FormValues; faults: readonly Fault[] }) {
  if (!isMapStep(values)) return
  const { isUnknown, fault } = await readTypedPlace(ctx, tx, placed, values)
  const found: Fault[] = [
    ...(isUnknown ? [{ code: 'place-unknown' as const, pointer: '/find' }] : []),
    ...(fault ? [{ ...fault, pointer: '/geometry' }] : []),
    ...faults,
  ]
  throw found.length > 0 ? new AppError('invalid', { faults: found }) : new AppError('not-sent-yet')
}

/** An address service is asked before a transaction begins. Its answer is remembered until the page is drawn. */
async function askForPlace(ctx: Ctx, address: ActivityAddress, values: FormValues): Promise<void> {
  if (!isMapPress(values) && readPlaceStep(values) === 'find') await searchPlacesAt(ctx, { ...address, text: readText(values['find']) })
}

/** As `takePlaceStep`, for the form in which an author changes what was sent. @throws as `takeMapStep` */
export async function takeEditStep(ctx: Ctx, address: ActivityAddress, values: FormValues): Promise<void> {
  await askForPlace(ctx, address, values)
  await ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, address)
    if (readActivitySettings(placed.activity).tools.places) await takeMapStep(ctx, tx, placed, { values, faults: [] })
  })
}

/** The map of the form in which an author changes a place: what is typed, or what was sent. Null if the activity has none. */
export async function readPlaceEditing(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  form: FormState | undefined,
): Promise<PlaceWritingView | null> {
  const { contribution: row } = placed
  if (!readActivitySettings(placed.activity).tools.places) return null
  const values = form?.form === 'edit' ? form.values : toFormValues(row)
  return buildPlaceWriting(ctx, await readTypedPlace(ctx, tx, placed, values, row.geometry), { words: '', isCheck: false })
}

function toFormValues({ geometry, areaId, placeText }: ContributionRow): FormValues {
  const shape = geometry ? findShape(geometry) : undefined
  const [lng, lat] = geometry?.type === 'Point' ? geometry.coordinates : []
  return {
    placeText,
    areaId: areaId ?? '',
    lng: String(lng ?? ''),
    lat: String(lat ?? ''),
    ...(shape && { shape, drawn: shape }),
    points: geometry ? formatPoints(listDrawnPoints(geometry)) : '',
  }
}

/** The map of the form; null if the activity has none. */
export async function readPlaceWriting(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedActivity,
  form: FormState | undefined,
): Promise<PlaceWritingView | null> {
  if (!readActivitySettings(placed.activity).tools.places) return null
  const values = form?.values ?? {}
  const isCheck = form !== undefined && form.faults.every(isNextStep)
  const typed = await readTypedPlace(ctx, tx, placed, values)
  return buildPlaceWriting(ctx, typed, { words: describeTypedPlace(ctx, values), isCheck: isCheck && !isMapStep(values) })
}
