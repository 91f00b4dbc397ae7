import { and, eq, isNull } from 'drizzle-orm'
import { isPointInside, type Rings } from '#app/features/areas/polygons.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { findPin, type Geometry, parseGeometry, type Position } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import type { Tools } from '../kinds/define-kind.ts'

interface PlaceInput {
  geometry?: unknown
  areaId: string | null
  placeText: string
}

export interface CheckedPlace {
  faults: Fault[]
  geometry: Geometry | null
  /** Where its pin stands. */
  pin: Position | null
  /** The area that the pin lies in, or null outside all of them; undefined without a pin. */
  areaId: string | null | undefined
}

/** Checks where a contribution lies, and finds the area. A place outside the site's border is refused only if the activity says so. */
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
  const pin = findPin(parsed.geometry)
  const { areaId, isOutside } = await findAreaAt(ctx, tx, pin)
  const isRefused = isOutside && tools.places.border === 'refuse'
  return { geometry: parsed.geometry, pin, areaId, faults: isRefused ? [{ code: 'outside-border', pointer: '/geometry' }] : [] }
}

/** The area at a point. `isOutside`: the site has areas, and it lies in none of them. */
export async function findAreaAt(ctx: Ctx, tx: Tx, point: Position): Promise<{ areaId: string | null; isOutside: boolean }> {
  const rows = await tx
    .select({ id: areas.id, rings: areas.rings })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
    .orderBy(areas.name)
  const found = rows.find(({ rings }) => isPointInside(point, rings as Rings))
  return { areaId: found?.id ?? null, isOutside: rows.length > 0 && found === undefined }
}
