import { lazyRouteComponent } from '@tanstack/react-router'
import type { SurveyForAnswering } from './surveys.views.ts'

/** In a file of its own, so that those who may answer do not load it. The route's loader waits for it where it is shown. */
export const SurveyClosedToViewer = lazyRouteComponent(() => import('./SurveyStates.tsx'), 'SurveyClosedToViewer')

export const mayAnswer = ({ survey }: Pick<SurveyForAnswering, 'survey'>): boolean =>
  survey.state === 'preview' || (survey.state === 'open' && survey.refusal === null)
