import { useTranslation } from 'react-i18next'
import type { DraftKind, MissingText } from '#app/features/revisions/draft.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { findMissingTexts } from '../missing-texts.schema.ts'
import { CONTENT_SCHEMA, type HomeBlock, readBlocks } from '../homepage.schema.ts'
import { mergeBlocks } from '../merge-blocks.ts'

export const createBlockId = () => `b_${crypto.randomUUID().slice(0, 8)}`

export const HOMEPAGE_DRAFT: DraftKind<readonly HomeBlock[]> = {
  read: readBlocks,
  write: (blocks) => ({ schema: CONTENT_SCHEMA, blocks }),
  both: (base, mine, theirs) => mergeBlocks(base, mine, theirs, createBlockId),
}

/** Lists the texts that the page would be published without. */
export function useMissingTexts(): (blocks: readonly HomeBlock[]) => MissingText[] {
  const { t } = useTranslation('editor')
  const { languages } = useSite()
  return (blocks) =>
    findMissingTexts(blocks, languages).map(({ code, name, blockId, field, language }) => {
      const block = blocks.find(({ id }) => id === blockId)
      return {
        name,
        at: blockId,
        label: t(code === 'alternative-missing' ? 'publish.waive-alt' : 'publish.waive', {
          block: block ? t(`blocks.${block.type}.name`) : blockId,
          field: t(`fields.${field}`, { defaultValue: field }),
          language: getLanguageName(language),
        }),
      }
    })
}
