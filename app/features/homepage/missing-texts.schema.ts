import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { AnyField, Fields, Picture } from './block-fields.ts'
import { BLOCKS, type HomeBlock } from './homepage.schema.ts'

/** A text of the page that is missing in one language. */
export interface MissingText {
  code: 'translation-missing' | 'alternative-missing'
  /** Key used to waive it: `<block>.<field>.<language>`; in a list the item's id comes before the field. */
  name: string
  blockId: string
  /** JSON pointer into the content: `/blocks/0/title/cy`. */
  pointer: string
  language: Language
  field: string
}

/**
 * Texts that exist in one of the site's languages but not in another, and meaningful pictures without alternative text. A text that exists
 * in no language is unused, not missing.
 */
export function findMissingTexts(blocks: readonly HomeBlock[], languages: readonly Language[]): MissingText[] {
  return blocks.flatMap((block, at) => findInFields(BLOCKS[block.type].fields, block, [block.id], `/blocks/${at}`))

  function findInFields(fields: Fields, values: object, path: readonly string[], pointer: string): MissingText[] {
    return Object.entries(fields as Record<string, AnyField>).flatMap(([name, field]) => {
      const value = (values as Record<string, unknown>)[name]
      const [inPath, inPointer] = [[...path, name], `${pointer}/${name}`]
      switch (field.kind) {
        case 'line':
        case 'text':
        case 'rich':
          return findMissingLanguages(value as Translated, 'translation-missing', inPath, inPointer)
        case 'action':
          return value
            ? findMissingLanguages(
                (value as { label: Translated }).label,
                'translation-missing',
                [...inPath, 'label'],
                `${inPointer}/label`,
              )
            : []
        case 'picture': {
          const picture = value as Picture | null
          if (!picture || picture.decorative) return []
          return findMissingLanguages(picture.alt, 'alternative-missing', [...inPath, 'alt'], `${inPointer}/alt`, true)
        }
        case 'list':
          return (value as { id: string }[]).flatMap((item, at) =>
            findInFields(field.fields, item, [...inPath, item.id], `${inPointer}/${at}`),
          )
        default:
          return []
      }
    })
  }

  function findMissingLanguages(
    text: Translated,
    code: MissingText['code'],
    path: readonly string[],
    pointer: string,
    isNeeded = false,
  ): MissingText[] {
    const isUsed = isNeeded || languages.some((language) => text[language]?.trim())
    if (!isUsed) return []
    return languages
      .filter((language) => !text[language]?.trim())
      .map((language) => ({
        code,
        language,
        name: [...path, language].join('.'),
        pointer: `${pointer}/${language}`,
        blockId: path[0] ?? '',
        field: path.findLast((step) => step !== 'label' && step !== 'alt') ?? '',
      }))
  }
}
