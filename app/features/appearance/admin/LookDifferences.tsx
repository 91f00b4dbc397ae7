import { useTranslation } from 'react-i18next'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import { isHex } from '#app/lib/color.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Appearance } from '../appearance.schema.ts'
import { findDifferingTokens } from '../merge-look.ts'
import { findCornerName } from './corner-steps.ts'

interface LookDifferencesProps {
  before: Appearance
  after: Appearance
  labels: { before: string; after: string }
}

/** Compares two looks token by token. Colours are shown as swatches. */
export function LookDifferences({ before, after, labels }: LookDifferencesProps) {
  const { t } = useTranslation('editor')
  const names = findDifferingTokens(before, after)
  if (!names.length) return <p>{t('compare.same')}</p>
  return (
    <div className="differences">
      <DifferenceTable
        names={names}
        labels={{ field: t('compare.field'), ...labels }}
        nameOf={nameOf}
        renderBefore={(name) => renderValue(name, before)}
        renderAfter={(name) => renderValue(name, after)}
      />
    </div>
  )

  function nameOf(name: keyof Appearance): string {
    switch (name) {
      case 'primary':
      case 'accent':
      case 'paper':
      case 'ink':
        return t(`look.color.${name}`)
      default:
        return t(`look.${name}`)
    }
  }

  function renderValue(name: keyof Appearance, look: Appearance) {
    const value = look[name]
    if (isHex(value)) {
      return (
        <span className="palette-shown">
          <i style={{ background: value }} /> {value}
        </span>
      )
    }
    switch (name) {
      case 'corner':
        return t(`look.corners.${findCornerName(look.corner)}`)
      case 'fonts':
        return t(`look.font.${look.fonts}`)
      case 'scheme':
        return t(`look.schemes.${look.scheme}`)
      case 'header':
        return t(`look.headers.${look.header}`)
      case 'footer':
        return formatTranslations(look.footer)
      case 'navigation':
        return look.navigation.map(({ label, href }) => `${formatTranslations(label)} → ${href}`).join(' · ') || '–'
      default:
        return typeof value === 'string' && value ? value : '–'
    }
  }
}

const formatTranslations = (text: Partial<Record<ContentLanguage, string>>): string =>
  Object.entries(text)
    .filter(([, said]) => said)
    .map(([language, said]) => `${getLanguageName(language as ContentLanguage)}: ${said}`)
    .join(' · ') || '–'
