import { useEffect, useMemo, useState } from 'react'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import type { SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentLanguage } from '#app/shell/use-content-language.ts'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { preloadFields } from '../questionnaire/question-types/fields.ts'
import { type PreviewedDraft, readPreviewedDraft } from './preview-blocks.ts'
import { SurveyPage } from '../answering/SurveyPage.tsx'
import { resolveRelativeDays } from '../questionnaire/relative-days.ts'
import { expandCarriedOptions } from '../questionnaire/carried-options.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import type { SurveyPreview } from './preview.server.ts'
import { buildSteps } from '../questionnaire/steps.ts'
import { chooseStepKind, withoutRules } from '../questionnaire/variants.ts'
import { localiseDefinition } from '../surveys.views.ts'
import { useStepAddress } from '../answering/use-step-address.ts'

interface PreviewedSurveyProps {
  page: SurveyPreview & { now: Date }
  /** The draft in the editor; undefined until an editor has answered. */
  blocks: readonly object[] | null | undefined
  /** The survey's own variant, or another to try out. */
  variant: SurveyVariant | undefined
  /** True: rules apply as answers are given. False: everything is shown. */
  rules: boolean
  /** The step, or closing page, in the URL. */
  step: string | undefined
  /** Called with a function from a part to the step that shows it; undefined if everything is on one page. */
  offerSteps: (stepOf: (id: string) => string | undefined) => void
  /** Called if the editor's draft cannot be shown. */
  failed: () => void
}

/** What people see above the receipt if the rules lead to this ending. */
function ClosingPage({ id, title, text }: { id: string; title: LocalisedText; text: LocalisedText }) {
  return (
    <div className="page wrap-narrow stack survey-receipt">
      <section aria-labelledby={`part-${id}`}>
        <PageTitle
          title={
            <span id={`part-${id}`}>
              <Text words={title} />
            </span>
          }
        >
          {text.text && <RichText text={text.text} lang={text.lang} className="lead" />}
        </PageTitle>
      </section>
    </div>
  )
}

/** A dummy: answers given here are not stored anywhere. */
const PREVIEW_SENDING = { id: '00000000-0000-7000-8000-000000000000', sendKey: 'live-preview-of-a-draft' }

/** The participants' survey page, showing the draft in the editor. */
export function PreviewedSurvey({ page, blocks, variant, rules, step: opened, offerSteps, failed }: PreviewedSurveyProps) {
  const language = useContentLanguage()
  const { locale } = useSite()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const stored: PreviewedDraft = useMemo(
    () => ({
      ...page.texts,
      variant: page.variant,
      anonymous: page.survey.anonymous,
      minutes: page.survey.minutes,
      definition: page.definition,
    }),
    [page],
  )
  const read = useMemo(() => (blocks ? readPreviewedDraft(blocks) : undefined), [blocks])
  const isBroken = blocks !== undefined && blocks !== null && !read
  useEffect(() => {
    if (isBroken) failed()
  }, [isBroken, failed])
  const draft = read ?? stored
  const definition = useMemo(() => {
    const whole = resolveRelativeDays(expandCarriedOptions(draft.definition), today)
    return localiseDefinition(rules ? whole : withoutRules(whole), language, locale)
  }, [draft.definition, today, rules, language, locale])
  useEffect(() => void preloadFields(definition), [definition])
  const { step } = useStepAddress(opened)
  const endings = draft.definition.endings ?? []
  const ending = endings.find(({ id }) => id === step)
  const steps = chooseStepKind(variant ?? draft.variant, page.revised, definition)
  useEffect(() => {
    const all = steps ? buildSteps(walkSurvey(definition, {}, PREVIEW_SENDING.id), steps) : []
    const onSteps = (id: string) =>
      (all.find((one) => one.questions.some((question) => question.id === id)) ?? all.find((one) => one.page.id === id))?.id
    // A closing page leads back to the start, if the survey is on one page.
    offerSteps((id) => (endings.some((one) => one.id === id) ? id : (onSteps(id) ?? (ending && ''))))
  })
  const localise = (text: typeof draft.title) => localiseText(text, language, locale)
  if (ending) return <ClosingPage id={ending.id} title={localise(ending.title)} text={localise(ending.text ?? {})} />
  return (
    <SurveyPage
      survey={{
        ...page.survey,
        title: localise(draft.title),
        intro: localise(draft.intro),
        anonymous: draft.anonymous,
        minutes: draft.minutes,
        refusal: null,
      }}
      version={0}
      definition={definition}
      steps={steps}
      draft={null}
      sending={PREVIEW_SENDING}
      now={page.now}
      address=""
      step={undefined}
      form={null}
    />
  )
}
