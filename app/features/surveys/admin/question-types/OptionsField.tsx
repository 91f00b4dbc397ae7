import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { CheckInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { Option } from '../../surveys.schema.ts'
import { newKeptId } from '../editor/definition-edits.ts'
import { ItemsField } from './ItemsField.tsx'
import { WordsField } from './WordsField.tsx'

/** Two empty options: the least there is to choose from. */
export const twoOptions = (): Option[] => [
  { id: newKeptId('o'), label: {} },
  { id: newKeptId('o'), label: {} },
]

interface OptionsFieldProps {
  question: { options: Option[]; shuffle?: boolean | undefined }
  change: (next: { options?: Option[]; shuffle?: boolean | undefined }, key?: string) => void
  language: Language
  messageOf: (field: string) => string | undefined
  /** What may be said of one option besides its label. */
  may?: readonly ('words' | 'exclude' | 'picture')[]
}

/** What can be chosen, and in which order it is shown. */
export function OptionsField({ question, change, language, messageOf, may = [] }: OptionsFieldProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <ItemsField
        name="options"
        items={question.options}
        onChange={(options, key) => change({ options }, key)}
        language={language}
        messageOf={messageOf}
        words={{ title: t('options.title'), one: (number) => t('options.one', { number }), add: t('options.add') }}
        actions={(option, set) => [
          ...(may.includes('words')
            ? [
                {
                  id: 'other',
                  label: option.other ? t('options.no-words') : t('options.words'),
                  onAction: () => set({ other: option.other ? undefined : true }),
                },
              ]
            : []),
          ...(may.includes('exclude')
            ? [
                {
                  id: 'exclusive',
                  label: option.exclusive ? t('options.combine') : t('options.alone'),
                  onAction: () => set({ exclusive: option.exclusive ? undefined : true }),
                },
              ]
            : []),
        ]}
      >
        {(option, set, index) => (
          <>
            {(option.other || option.exclusive) && (
              <p className="meta">
                {[option.other && t('options.has-words'), option.exclusive && t('options.is-alone')].filter(Boolean).join(' · ')}
              </p>
            )}
            {may.includes('picture') && (
              <div className="items-editor-more">
                <TextInput
                  name={`options.${index}.picture.url`}
                  label={t('question.picture')}
                  value={option.picture?.url ?? ''}
                  onChange={(url) => set({ picture: url ? { alt: {}, ...option.picture, url } : undefined }, 'picture')}
                  error={messageOf(`options.${index}.picture.url`) ?? messageOf(`options.${index}.picture`)}
                />
                {option.picture && (
                  <WordsField
                    name={`options.${index}.picture.alt`}
                    label={t('question.alt')}
                    values={option.picture.alt}
                    language={language}
                    onChange={(alt) => option.picture && set({ picture: { ...option.picture, alt } }, 'alt')}
                    messageOf={messageOf}
                  />
                )}
              </div>
            )}
          </>
        )}
      </ItemsField>
      <CheckInput
        name="shuffle"
        label={t('question.shuffle')}
        value={question.shuffle === true}
        onChange={(shuffle) => change({ shuffle: shuffle || undefined })}
      />
    </>
  )
}
