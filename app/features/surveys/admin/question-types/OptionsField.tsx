import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import type { Option } from '../../surveys.schema.ts'
import { createItemId } from '../editor/definition-edits.ts'
import { useLogicSources } from '../editor/logic/logic-sources.ts'
import { useConditionWords } from '../editor/logic/use-condition-words.ts'
import { ItemsField } from './ItemsField.tsx'
import { OptionLines } from './OptionLines.tsx'
import { WordsField } from './WordsField.tsx'

/** A longer list is edited as text. */
const MOST_ROWS = 60

/** The minimum to choose from. */
export const createTwoOptions = (): Option[] => [
  { id: createItemId('o'), label: {} },
  { id: createItemId('o'), label: {} },
]

interface OptionsDraft {
  options: Option[]
  shuffle?: boolean | undefined
  ordered?: boolean | undefined
  carry?: { question: string; which: 'chosen' | 'not_chosen' } | undefined
}

interface OptionsFieldProps {
  question: OptionsDraft
  change: (next: Partial<OptionsDraft>, key?: string) => void
  language: ContentLanguage
  messageOf: (field: string) => string | undefined
  /** Properties an option can have besides its label, and those of the list. */
  may?: readonly ('words' | 'exclude' | 'picture' | 'many' | 'order')[]
}

/** The options and their order. */
export function OptionsField({ question, change, language, messageOf, may = [] }: OptionsFieldProps) {
  const { t } = useTranslation('survey-admin')
  const isLong = may.includes('many') && question.options.length > MOST_ROWS
  const [wasLong, setWasLong] = useState(isLong)
  // A list that gets shorter stays text until the question is opened again.
  const [opened] = useState(isLong)
  if (isLong && !wasLong) setWasLong(true)
  if (wasLong)
    return (
      <>
        <OptionLines
          options={question.options}
          onChange={(options, key) => change({ options }, key)}
          language={language}
          messageOf={messageOf}
          isJustOpened={!opened}
        />
        <CarriedChoices question={question} change={change} messageOf={messageOf} />
      </>
    )
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
      <CarriedChoices question={question} change={change} messageOf={messageOf} />
      <CheckInput
        name="shuffle"
        label={t('question.shuffle')}
        value={question.shuffle === true}
        onChange={(shuffle) => change({ shuffle: shuffle || undefined })}
      />
      {may.includes('order') && (
        <CheckInput
          name="ordered"
          label={t('question.ordered')}
          hint={t('question.ordered-hint')}
          value={question.ordered === true}
          onChange={(ordered) => change({ ordered: ordered || undefined })}
        />
      )}
    </>
  )
}

/** Choices carried over from an earlier question, before the question's own. */
function CarriedChoices({ question: { carry }, change, messageOf }: Pick<OptionsFieldProps, 'question' | 'change' | 'messageOf'>) {
  const { t } = useTranslation('survey-admin')
  const words = useConditionWords()
  const earlier = useLogicSources().filter((source) => 'options' in source)
  if (earlier.length === 0 && !carry) return null
  const known = carry === undefined || earlier.some((source) => source.id === carry.question)
  return (
    <div className="field-row">
      <SelectInput
        name="carry.question"
        label={t('carry.from')}
        hint={t('carry.hint')}
        value={carry?.question ?? ''}
        onChange={(id) => change({ carry: id ? { question: id, which: carry?.which ?? 'chosen' } : undefined })}
        options={[
          { value: '', label: t('carry.none') },
          ...(known ? [] : [{ value: carry.question, label: t('logic.gone') }]),
          ...earlier.map((source) => ({ value: source.id, label: words.nameOf(source) })),
        ]}
        error={messageOf('carry.question')}
      />
      {carry && (
        <SelectInput
          name="carry.which"
          label={t('carry.which')}
          value={carry.which}
          onChange={(which) => change({ carry: { ...carry, which } })}
          options={(['chosen', 'not_chosen'] as const).map((which) => ({ value: which, label: t(`carry.${which}`) }))}
        />
      )}
    </div>
  )
}
