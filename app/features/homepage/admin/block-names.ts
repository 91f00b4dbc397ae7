import type { ContentLanguage } from '#app/lib/languages.ts'
import { toPlainText } from '#app/lib/rich-text.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { AnyField } from '../block-fields.ts'
import { BLOCKS, type HomeBlock } from '../homepage.schema.ts'

/** First words of a block, used as its label in the outline. */
export function findFirstWords(block: HomeBlock, language: ContentLanguage): string {
  for (const [name, field] of Object.entries(BLOCKS[block.type].fields as Record<string, AnyField>)) {
    if (field.kind !== 'line' && field.kind !== 'text' && field.kind !== 'rich') continue
    const written = getTranslation((block as unknown as Record<string, Translated>)[name], language)
    const text = (field.kind === 'rich' ? toPlainText(written) : written).trim()
    if (text) return text.slice(0, 80)
  }
  return ''
}
