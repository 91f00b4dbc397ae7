import { createFileRoute } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { useFrame } from '#app/features/live-preview/use-preview-frame.ts'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { createFramedSurvey } from '#app/features/surveys/preview/framed-survey.ts'
import { PreviewedSurvey } from '#app/features/surveys/preview/PreviewedSurvey.tsx'
import { preloadSurveyPage } from '#app/features/surveys/answering/lazy-components.ts'
import { readSurveyPreview } from '#app/features/surveys/preview/preview.functions.ts'
import { readChoiceParam, omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { SURVEY_VARIANTS } from '#app/lib/vocabulary/surveys.ts'
import { setPreviewViewer } from '#app/shell/preview-viewer.ts'

/** Live preview of a survey: the participants' own page, framed by its editor. Answers are not stored. */
export const Route = createFileRoute('/live-preview/surveys/$id')({
  staticData: { namespaces: ['participant', 'survey'], hideIntercom: true },
  validateSearch: ({ variant, rules, step }: Record<string, unknown>) =>
    omitUndefined({
      variant: readChoiceParam(variant, SURVEY_VARIANTS),
      rules: readChoiceParam(rules, ['true']),
      step: readTextParam(step, 60),
    }),
  beforeLoad: ({ context }) => setPreviewViewer(context.queryClient, 'visitor'),
  // All steps are loaded already.
  shouldReload: false,
  loader: async ({ params }) => {
    const [frame, page] = await Promise.all([readSiteFrame(), readSurveyPreview({ data: { survey: params.id } })])
    const whole = { survey: page.survey, definition: page.definition, version: 0, draft: null, form: null }
    await Promise.all([preloadSurveyPage({ ...whole, steps: null }), preloadSurveyPage({ ...whole, steps: 'questions' })])
    return { frame, page }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

const NO_TEXTS = (): never[] => []

function Preview() {
  const { frame, page } = Route.useLoaderData()
  const { variant, rules, step } = Route.useSearch()
  const texts = useRef(NO_TEXTS)
  const [framed] = useState(createFramedSurvey)
  const { shown, say } = useFrame(texts, framed)
  const failed = useCallback(
    () => say({ kind: 'error', reason: 'not-shown', detail: 'The draft is not a survey that can be shown.' }),
    [say],
  )
  return (
    <SiteChrome frame={frame}>
      <PreviewedSurvey
        page={page}
        blocks={shown?.blocks}
        variant={variant}
        rules={rules === 'true'}
        step={step}
        offerSteps={(next) => framed.setSteps(next)}
        failed={failed}
      />
    </SiteChrome>
  )
}
