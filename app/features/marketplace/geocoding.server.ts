import { type Box, isInBox } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { countAttempt, limitByAddress } from '#app/server/limits/limits.ts'
import { processMemory } from '#app/server/memory/memory-budget.ts'
import { readSiteWide } from '#app/server/public-reads.ts'
import { loadEnabledInstallations } from './installations.server.ts'
import { type GeocodedAddress, ProviderFault } from './integrations/integration.server.ts'
import { createService } from './service-calls.server.ts'

/** The site's own address service, as people are told about it. */
export interface GeocoderView {
  attribution: string
}

/** Null if the site has none. */
export const loadGeocoder = (ctx: Ctx): Promise<GeocoderView | null> =>
  readSiteWide(ctx, ['geocoder'], async (reader) => {
    const [found] = await loadEnabledInstallations(reader, 'geocode')
    const { geocoder } = found?.integration ?? {}
    return geocoder && found ? { attribution: geocoder.findAttribution(found.row.settings) } : null
  })

/** For each network: somebody who types an address asks about ten times. */
const MAX_QUESTIONS = 120
/** A form without JavaScript asks twice: when it arrives, and when its page is drawn. */
const REMEMBERED_MS = 60_000
const FAILURE_REMEMBERED_MS = 10_000
const ANSWERS_BYTES = 1_000_000
const ANSWER_BYTES = 3000
const answers = processMemory.open<readonly GeocodedAddress[]>('geocoded addresses', { maxBytes: ANSWERS_BYTES })

/**
 * Addresses of the site's own address service within a box. Empty if the site has none, and if the service fails, is paused or was asked too often from
 * one network: the search shows what the site knows itself. Not to be called within a transaction: it waits for the service.
 */
export async function geocodeAddress(ctx: Ctx, { text, box }: { text: string; box: Box }): Promise<readonly GeocodedAddress[]> {
  if (!(await loadGeocoder(ctx))) return []
  const [found] = await loadEnabledInstallations(ctx, 'geocode')
  const { geocoder } = found?.integration ?? {}
  if (!geocoder || !found) return []
  const key = JSON.stringify([found.row.id, found.row.lockVersion, ctx.language, box, text])
  const remembered = answers.find(key)
  if (remembered) return remembered
  try {
    await countAttempt(ctx, limitByAddress(ctx, { name: 'geocode', most: MAX_QUESTIONS, minutes: 5 }))
    const addresses = await geocoder.search(createService(ctx, found.row), { text, box, language: ctx.language })
    const inside = addresses.filter(({ point }) => isInBox(point, box))
    answers.set(key, inside, ANSWER_BYTES, REMEMBERED_MS)
    return inside
  } catch (error) {
    if (!(error instanceof ProviderFault) && !isAppError(error, 'too-many-requests')) throw error
    answers.set(key, [], ANSWER_BYTES, FAILURE_REMEMBERED_MS)
    return []
  }
}
