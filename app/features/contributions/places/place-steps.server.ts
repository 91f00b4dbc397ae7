import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { FormValues } from '#app/server/forms.ts'
import type { FormState } from '#app/server/request-context.ts'
import { type ActivityAddress, type PlacedActivity, requireActivityAt } from '../activities/activities.policy.server.ts'
import { isNextStep } from '../contributions.schema.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { checkContribution, type ContributionInput } from '../posting/submit-contribution.server.ts'
import type { PlaceWritingView } from './places.schema.ts'
import { buildGeometry, parsePoints } from './drawing.schema.ts'
import { buildPlaceWriting, describeTypedPlace, readRemovedPoint, readTypedPlace } from './typed-place.server.ts'

/** Buttons that change the map or go back, and check nothing. */
const MAP_STEPS = ['find', 'nearer', 'farther', 'clear', 'change', 'shape', 'undo', 'finish', 'resume']

const hasPress = (values: FormValues): boolean => 'large.x' in values || 'small.x' in values
const isMapStep = (values: FormValues): boolean => {
  const step = String(values['place'] ?? '')
  return hasPress(values) || MAP_STEPS.includes(step) || readRemovedPoint(step) !== undefined
}

/** What is on the form's map as GeoJSON, or null; what is no number is left for the check. */
export function readTypedGeometry({ shape, points, lng, lat }: FormValues): unknown {
  if (shape === 'lines' || shape === 'areas')
    return typeof points === 'string' && points.trim() ? buildGeometry(shape, parsePoints(points)) : null
  return typeof lng === 'string' && typeof lat === 'string' && (lng || lat)
    ? { type: 'Point', coordinates: [lng, lat].map((text) => (text ? Number(text) : Number.NaN)) }
    : null
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
  if (values['place'] === 'send' && !hasPress(values)) return
  await ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, address)
    if (!readActivitySettings(placed.activity).tools.places) return
    if (isMapStep(values)) {
      const { isUnknown, fault } = await readTypedPlace(ctx, tx, placed, values)
      const faults: Fault[] = isUnknown ? [{ code: 'place-unknown', pointer: '/find' }] : []
      if (fault) faults.push({ ...fault, pointer: '/geometry' })
      // A file that was refused is no longer in the form: that is said at once.
      faults.push(...(written.photos?.faults ?? []).filter(({ code }) => code !== 'required'))
      throw faults.length > 0 ? new AppError('invalid', { faults }) : new AppError('not-sent-yet')
    }
    await checkContribution(ctx, tx, placed, written)
    throw new AppError('not-sent-yet')
  })
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
  return buildPlaceWriting(typed, { words: describeTypedPlace(ctx, values), isCheck: isCheck && !isMapStep(values) })
}
