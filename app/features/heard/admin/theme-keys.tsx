import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { SwitchInput } from '#app/ui/admin/inputs.tsx'
import { storeSingleKeys } from '#app/ui/admin/single-keys.ts'
import type { Theme } from './EditTheme.tsx'

interface KeyHelpProps {
  /** Of the switch's field, unique on the page. */
  name: string
  keysOn: boolean
  onChange: (on: boolean) => void
  /** One or two keys, and what they do. */
  keys: readonly (readonly [first: string, second: string, label: string])[]
}

/** Turns keys of one letter on or off, for the whole administration, and lists those of this page. */
export function KeyHelp({ name, keysOn, onChange, keys }: KeyHelpProps) {
  const { t } = useTranslation('heard-admin')
  const change = (on: boolean) => {
    storeSingleKeys(on)
    onChange(on)
  }
  return (
    <div className="coding-keys">
      <SwitchInput name={name} label={t('keys.switch')} hint={t('keys.hint')} value={keysOn} onChange={change} />
      {keysOn && (
        <ul>
          {keys.map(([first, second, label]) => (
            <li key={label}>
              <kbd>{first}</kbd> {second && <kbd>{second}</kbd>} {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const MAX_NUMBER_KEYS = 9

interface ThemeKeysProps {
  themes: readonly Theme[]
  /** Shows which of them are given, as pressed buttons. */
  coded?: ReadonlySet<string>
  keysOn: boolean
  onCode: (theme: Theme) => void
}

/** The themes of a project with their number keys. */
export function ThemeKeys({ themes, coded, keysOn, onCode }: ThemeKeysProps) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  if (themes.length === 0) return <p className="meta">{t('themes.none-text')}</p>
  return (
    <ol>
      {themes.map((theme, at) => (
        <li key={theme.id}>
          <button type="button" className="coding-theme" aria-pressed={coded?.has(theme.id)} onClick={() => onCode(theme)}>
            {keysOn && at < MAX_NUMBER_KEYS && <kbd>{at + 1}</kbd>}
            <span>
              <strong lang={theme.meta.languages?.title} dir={getDirection(theme.meta.languages?.title)}>
                {theme.title}
              </strong>
              <small>{t(`stances.${theme.stance}`)}</small>
            </span>
            <span>{format.number(theme.people)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
