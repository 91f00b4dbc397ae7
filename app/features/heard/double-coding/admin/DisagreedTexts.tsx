import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import type { Theme } from '../../admin/EditTheme.tsx'
import { cutIntoRuns, findUnits } from '../../marked-passages.ts'
import type { DisagreedText, DisagreementView } from '../coding-samples.schema.ts'

interface DisagreedTextsProps {
  texts: readonly DisagreedText[]
  themes: readonly Theme[]
  isBusy: boolean
  onSettle: (text: string, theme: string, isAgreed: boolean) => void
}

/** Passage by passage what only one of the two gave, for both to settle. */
export function DisagreedTexts({ texts, themes, isBusy, onSettle }: DisagreedTextsProps) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const titles = new Map(themes.map(({ id, title }) => [id, title]))
  const all = texts.flatMap(({ disagreements }) => disagreements)
  const settled = all.filter(({ isAgreed }) => isAgreed !== null).length
  return (
    <section className="admin-stack" aria-labelledby="differences-heading">
      <h2 id="differences-heading">{t('agreement.differences')}</h2>
      <p>{t('agreement.settle-text')}</p>
      <output className="meta">
        {t('agreement.settled-of', { count: all.length, settled: format.number(settled), number: format.number(all.length) })}
      </output>
      <ol className="coding-differences">
        {texts.map((text) => (
          <li key={text.id} className="admin-panel admin-stack">
            <p className="meta">
              {format.dateTime(text.at)} · {getLanguageName(text.language)}
            </p>
            <MarkedWords text={text} />
            <ul className="coding-passages">
              {text.disagreements.map((one) => (
                <li key={one.theme}>
                  <Disagreement
                    text={text}
                    one={one}
                    title={titles.get(one.theme) ?? ''}
                    isBusy={isBusy}
                    onSettle={(isAgreed) => onSettle(one.text, one.theme, isAgreed)}
                  />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The text, with every passage that only one of the two marked. */
function MarkedWords({ text: { words, language, disagreements } }: { text: DisagreedText }) {
  const marks = disagreements.flatMap(({ passages }) =>
    passages.map(({ start, end }) => ({ start: findUnits(words, start), end: findUnits(words, end) })),
  )
  return (
    <div className="coding-words" lang={language} dir={getDirection(language)}>
      {cutIntoRuns(words, marks).map(({ start, end, marks: covering }) =>
        covering.length === 0 ? <span key={start}>{words.slice(start, end)}</span> : <mark key={start}>{words.slice(start, end)}</mark>,
      )}
    </div>
  )
}

interface DisagreementProps {
  text: DisagreedText
  one: DisagreementView
  title: string
  isBusy: boolean
  onSettle: (isAgreed: boolean) => void
}

function Disagreement({ text: { words, language }, one, title, isBusy, onSettle }: DisagreementProps) {
  const { t } = useTranslation('heard-admin')
  const { coder, reading, passages, isAgreed } = one
  const characters = Array.from(words)
  const giver = coder ?? t('agreement.someone')
  return (
    <>
      <span>
        <strong>{title}</strong>: {t(`agreement.given-${reading}`, { who: giver })}{' '}
        {passages.length === 0
          ? t('read.whole')
          : passages.map(({ start, end }) => (
              <q key={`${start} ${end}`} lang={language} dir={getDirection(language)}>
                {characters.slice(start, end).join('')}
              </q>
            ))}
      </span>
      <span className="row row-tight">
        {([true, false] as const).map((choice) => (
          <Button
            key={String(choice)}
            kind={isAgreed === choice ? 'primary' : 'secondary'}
            size="small"
            aria-pressed={isAgreed === choice}
            aria-disabled={isBusy || undefined}
            onClick={() => onSettle(choice)}
          >
            {t(choice ? 'agreement.keep' : 'agreement.leave')}
            <span className="visually-hidden"> {title}</span>
          </Button>
        ))}
      </span>
    </>
  )
}
