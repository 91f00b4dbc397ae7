import type { CaseOpening } from '#app/lib/vocabulary/moderation.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { HELD_KINDS } from '../record/personal-data.schema.ts'
import { findWordEffect } from './words/word-lists.server.ts'
import { findPublishedData, type WrittenTexts } from './personal-data/personal-data.server.ts'

/** What a text is looked at for when it arrives. */
export interface Screening {
  /** Why a moderator should look at it; null if nothing was found. */
  openedBy: CaseOpening | null
  /** Not published before a moderator has decided. */
  holds: boolean
}

interface ScreenedTexts extends WrittenTexts {
  /** For the team only: personal data in it are no reason to hold. */
  unpublished?: readonly string[]
}

export const NOTHING_FOUND: Screening = { openedBy: null, holds: false }

/** Looks for listed words and personal data. A text is never refused for what is found, and nothing found is stored. */
export async function screenTexts(ctx: Ctx, tx: Tx, texts: ScreenedTexts): Promise<Screening> {
  const { title = '', body, placeText = '', shownName = '', unpublished = [] } = texts
  const words = await findWordEffect(ctx, tx, [title, body, placeText, shownName, ...unpublished])
  const found = await findPublishedData(ctx, tx, texts)
  const isHeldForData = found.some(({ kind }) => HELD_KINDS.includes(kind))
  const isPersonal = found.length > 0 && (isHeldForData || words !== 'hold')
  return { openedBy: isPersonal ? 'personal-data' : words ? 'words' : null, holds: isHeldForData || words === 'hold' }
}
