import { useTranslation } from 'react-i18next'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { MoveButtons } from '#app/ui/admin/move-buttons.tsx'
import { Button } from '#app/ui/button.tsx'
import type { ProfileOption } from '../profile.schema.ts'
import { createOption } from './question-draft.ts'

interface OptionListProps {
  options: readonly ProfileOption[]
  /** Ids of options that somebody chose: they can be retired, not removed. */
  chosen: readonly string[]
  onChange: (options: ProfileOption[]) => void
  messageOf: (name: string) => string | undefined
}

/** The options of a question, in every language of the site. */
export function OptionList({ options, chosen, onChange, messageOf }: OptionListProps) {
  const { t } = useTranslation('people')
  const site = useSite()
  // “Prefer not to say” stands last.
  const movable = options.filter(({ id }) => id !== NO_ANSWER).length
  const replace = (id: string, changes: Partial<ProfileOption>) =>
    onChange(options.map((option) => (option.id === id ? { ...option, ...changes } : option)))
  return (
    <fieldset className="grid gap-6">
      <legend>{t('questions.options')}</legend>
      {messageOf('options') && <p className="field-error">{messageOf('options')}</p>}
      {options.map((option, at) => {
        const name = getTranslation(option.label, site.locale) || t('questions.option', { number: at + 1 })
        return (
          <div key={option.id} className="admin-form">
            {site.contentLanguages.map((language) => (
              <TextInput
                key={language}
                name={`options.${at}.label.${language}`}
                label={`${t('questions.option', { number: at + 1 })} (${getLanguageName(language)})`}
                language={language}
                value={option.label[language] ?? ''}
                onChange={(text) => replace(option.id, { label: { ...option.label, [language]: text } })}
                error={messageOf(`options.${at}.label.${language}`)}
                maxLength={300}
              />
            ))}
            {option.id !== NO_ANSWER && (
              <div className="row">
                <MoveButtons
                  labels={{ up: t('questions.up', { name }), down: t('questions.down', { name }) }}
                  at={at}
                  count={movable}
                  isPending={false}
                  onMove={(to) => onChange(options.toSpliced(at, 1).toSpliced(to, 0, option))}
                />
                {option.retired && <span className="meta">{t('questions.option-retired')}</span>}
                {chosen.includes(option.id) ? (
                  <>
                    <Button
                      kind="plain"
                      size="small"
                      onClick={() =>
                        onChange(
                          options.map((one) =>
                            one.id === option.id ? { id: one.id, label: one.label, ...(!one.retired && { retired: true as const }) } : one,
                          ),
                        )
                      }
                    >
                      {t(option.retired ? 'questions.option-restore' : 'questions.option-retire', { name })}
                    </Button>
                    <span className="meta">{t('questions.chosen')}</span>
                  </>
                ) : (
                  <Button kind="plain" size="small" onClick={() => onChange(options.filter(({ id }) => id !== option.id))}>
                    {t('questions.option-remove', { name })}
                  </Button>
                )}
              </div>
            )}
          </div>
        )
      })}
      <div className="row">
        <Button kind="secondary" size="small" onClick={() => onChange(options.toSpliced(movable, 0, createOption()))}>
          {t('questions.option-add')}
        </Button>
      </div>
    </fieldset>
  )
}
