import { and, eq, isNull } from 'drizzle-orm'
import { isPointInside, type Rings } from '#app/features/areas/polygons.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { findPin } from '#app/lib/find-pin.ts'
import { type Geometry, parseGeometry, type Position } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import type { Tools } from '../kinds/define-kind.ts'
import { findShape, listDrawnPoints } from '../record/drawing.schema.ts'

interface PlaceInput {
  geometry?: unknown
  areaId: string | null
  placeText: string
  /** Where it lies already: what was taken once stays. */
  stored?: Geometry | null
}

export interface CheckedPlace {
  faults: Fault[]
  geometry: Geometry | null
  /** Where its pin stands. */
  pin: Position | null
  /** The area that the pin lies in, or null outside all of them; undefined without a pin. */
  areaId: string | null | undefined
}

/**
 * Checks where a contribution lies, and finds the area. What lies outside the site's border, or only partly inside, is refused only if the
 * activity says so.
 */
export async function checkPlace(ctx: Ctx, tx: Tx, tools: Pick<Tools, 'places'>, input: PlaceInput): Promise<CheckedPlace> {
  const none = { geometry: null, pin: null, areaId: undefined }
  const isGiven = input.geometry !== undefined && input.geometry !== null
  if (!isGiven) {
    const isMissing = tools.places && !input.areaId && !input.placeText.trim()
    return { ...none, faults: isMissing ? [{ code: 'required', pointer: '/geometry' }] : [] }
  }
  if (!tools.places) return { ...none, faults: [{ code: 'unknown-attribute', pointer: '/geometry' }] }
  const parsed = parseGeometry(input.geometry)
  if ('fault' in parsed) return { ...none, faults: [{ ...parsed.fault, pointer: '/geometry' }] }
  const isTaken = tools.places.geometries.includes(findShape(parsed.geometry)) || isSameGeometry(parsed.geometry, input.stored)
  if (!isTaken) return { ...none, faults: [{ code: 'shape-refused', pointer: '/geometry' }] }
  const pin = findPin(parsed.geometry)
  const { areaId, isOutside } = await findAreaAt(ctx, tx, pin, listDrawnPoints(parsed.geometry))
  const isRefused = isOutside && tools.places.border === 'refuse'
  return { geometry: parsed.geometry, pin, areaId, faults: isRefused ? [{ code: 'outside-border', pointer: '/geometry' }] : [] }
}

/** The database keeps the members of an object in an order of its own. */
const isSameGeometry = (one: Geometry, other: Geometry | null | undefined): boolean =>
  one.type === other?.type && JSON.stringify(one.coordinates) === JSON.stringify(other.coordinates)

/** The area at a pin. `isOutside`: the site has areas, and the pin or one of the other points lies in none of them. */
async function findAreaAt(
  ctx: Ctx,
  tx: Tx,
  pin: Position,
  others: readonly Position[],
): Promise<{ areaId: string | null; isOutside: boolean }> {
  const rows = await tx
    .select({ id: areas.id, rings: areas.rings })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
    .orderBy(areas.name)
  const findAt = (point: Position) => rows.find(({ rings }) => isPointInside(point, rings as Rings))
  // The middle of a bent area may lie outside of it.
  const given = others.length > 0 ? others : [pin]
  return { areaId: findAt(pin)?.id ?? null, isOutside: rows.length > 0 && given.some((point) => !findAt(point)) }
}
