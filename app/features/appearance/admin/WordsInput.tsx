import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Appearance } from '../appearance.schema.ts'
import { createLink, createStandardLinks } from './standard-links.ts'

interface WordsInputProps extends Pick<Appearance, 'navigation' | 'footer'> {
  language: ContentLanguage
  onChange: (next: Partial<Appearance>) => void
}

const MAX_LINKS = 7

/** Links in the header navigation and the footer text of every page. */
export function WordsInput({ navigation, footer, language, onChange }: WordsInputProps) {
  const { t, i18n } = useTranslation('editor')
  const { locale, languages } = useSite()
  const common = {
    language,
    source: locale,
    sourceLabel: t('in-language', { language: getLanguageName(locale) }),
    copyLabel: t('copy-text'),
  }
  const addLink = async () =>
    onChange({ navigation: [...(navigation.length > 0 ? navigation : await createStandardLinks(i18n, languages)), createLink()] })
  const updateLink = (id: string, next: Partial<Appearance['navigation'][number]>) =>
    onChange({ navigation: navigation.map((link) => (link.id === id ? { ...link, ...next } : link)) })
  return (
    <>
      <TranslatedField
        name="footer"
        label={t('look.footer')}
        values={footer}
        rows={3}
        onChange={(code, text) => onChange({ footer: { ...footer, [code]: text } })}
        {...common}
      />
      <fieldset className="editor-group">
        <legend>{t('look.navigation')}</legend>
        <p className="block-form-hint">{t('look.navigation-hint')}</p>
        <ol className="editor-items">
          {navigation.map(({ id, label, href }, at) => (
            <li key={id} className="editor-item">
              <div className="editor-item-head">
                <strong>{t('item', { number: at + 1 })}</strong>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('item-up', { number: at + 1 })}
                  disabled={at === 0}
                  onClick={() => onChange({ navigation: moveUp(navigation, at) })}
                >
                  <AdminIcon name="move-up" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('item-remove', { number: at + 1 })}
                  onClick={() => onChange({ navigation: navigation.filter((link) => link.id !== id) })}
                >
                  <AdminIcon name="trash" />
                </button>
              </div>
              <TranslatedField
                name={`${id}.label`}
                label={t('fields.label')}
                values={label}
                onChange={(code, text) => updateLink(id, { label: { ...label, [code]: text } })}
                {...common}
              />
              <TextInput
                name={`${id}.href`}
                label={t('fields.href')}
                hint={t('href-hint')}
                value={href}
                onChange={(next) => updateLink(id, { href: next })}
              />
            </li>
          ))}
        </ol>
        <Button kind="secondary" size="small" type="button" disabled={navigation.length >= MAX_LINKS} onClick={() => void addLink()}>
          {t('item-add')}
        </Button>
      </fieldset>
    </>
  )
}

/** Swaps the item at `at` with the one above it. */
function moveUp<Item>(items: readonly Item[], at: number): Item[] {
  const next = [...items]
  const [item] = next.splice(at, 1)
  if (item !== undefined) next.splice(at - 1, 0, item)
  return next
}
