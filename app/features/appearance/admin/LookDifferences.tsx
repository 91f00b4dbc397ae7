import { useTranslation } from 'react-i18next'
import { isHex } from '#app/lib/color.ts'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import type { Appearance } from '../appearance.schema.ts'
import { differingTokens } from '../merge-look.ts'
import { cornerName } from './corners.ts'

interface LookDifferencesProps {
  before: Appearance
  after: Appearance
  labels: { before: string; after: string }
}

/** Two looks side by side: each token that differs, colours as colours. */
export function LookDifferences({ before, after, labels }: LookDifferencesProps) {
  const { t } = useTranslation('editor')
  const names = differingTokens(before, after)
  if (!names.length) return <p>{t('compare.same')}</p>
  return (
    <div className="differences">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('compare.field')}</th>
            <th scope="col">{labels.before}</th>
            <th scope="col">{labels.after}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{nameOf(name)}</th>
              <td>{shown(name, before)}</td>
              <td>{shown(name, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
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

  function shown(name: keyof Appearance, look: Appearance) {
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
        return t(`look.corners.${cornerName(look.corner)}`)
      case 'fonts':
        return t(`look.font.${look.fonts}`)
      case 'scheme':
        return t(`look.schemes.${look.scheme}`)
      case 'header':
        return t(`look.headers.${look.header}`)
      case 'footer':
        return words(look.footer)
      case 'navigation':
        return look.navigation.map(({ label, href }) => `${words(label)} → ${href}`).join(' · ') || '–'
      default:
        return typeof value === 'string' && value ? value : '–'
    }
  }
}

const words = (text: Partial<Record<Language, string>>): string =>
  Object.entries(text)
    .filter(([, said]) => said)
    .map(([language, said]) => `${LANGUAGE_NAMES[language as Language]}: ${said}`)
    .join(' · ') || '–'
