import { useTranslation } from 'react-i18next'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import { getLanguageName } from '#app/lib/language-names.ts'
import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import type { AnyField } from '../block-fields.ts'
import { BLOCKS, type HomeBlock } from '../homepage.schema.ts'
import type { BlockDifference } from '../merge-blocks.ts'
import { findFirstWords } from './block-names.ts'

interface BlockDifferencesProps {
  differences: readonly BlockDifference[]
  language: ContentLanguage
  beforeLabel: string
  afterLabel: string
}

/** Compares two versions block by block and field by field. */
export function BlockDifferences({ differences, language, beforeLabel, afterLabel }: BlockDifferencesProps) {
  const { t } = useTranslation('editor')
  if (!differences.length) return <p>{t('compare.same')}</p>
  return (
    <ul className="differences">
      {differences.map(({ id, before, after, moved }) => {
        const block = after ?? before
        if (!block) return null
        const fields = before && after ? listChangedFields(before, after) : []
        return (
          <li key={id}>
            <strong>
              {t(`blocks.${block.type}.name`)} {findFirstWords(block, language)}
            </strong>
            {!before && <p>{t('compare.added', { side: afterLabel })}</p>}
            {!after && <p>{t('compare.added', { side: beforeLabel })}</p>}
            {moved && <p>{t('compare.moved')}</p>}
            {before && after && fields.length > 0 && (
              <DifferenceTable
                names={fields}
                labels={{ field: t('compare.field'), before: beforeLabel, after: afterLabel }}
                nameOf={(name) => t(`fields.${name}`, { defaultValue: name })}
                renderBefore={(name) => formatValue((before as unknown as Record<string, unknown>)[name])}
                renderAfter={(name) => formatValue((after as unknown as Record<string, unknown>)[name])}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const listChangedFields = (before: HomeBlock, after: HomeBlock): string[] =>
  Object.keys(BLOCKS[after.type].fields as Record<string, AnyField>).filter(
    (name) =>
      JSON.stringify((before as unknown as Record<string, unknown>)[name]) !==
      JSON.stringify((after as unknown as Record<string, unknown>)[name]),
  )

/** Formats a value briefly. Texts are prefixed with the name of their language. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(formatValue).join(' · ').slice(0, 500)
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  return Object.entries(value)
    .filter(([name]) => name !== 'id')
    .map(([name, one]) => {
      const language = CONTENT_LANGUAGES.find((code) => code === name)
      return language ? `${getLanguageName(language)}: ${formatValue(one)}` : formatValue(one)
    })
    .join(' · ')
    .slice(0, 500)
}
