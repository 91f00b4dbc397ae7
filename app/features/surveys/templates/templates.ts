import { budget } from './budget.ts'
import { event } from './event.ts'
import { park } from './park.ts'
import { plan } from './plan.ts'
import { poll } from './poll.ts'
import { service } from './service.ts'
import type { SurveyTemplate } from './template-parts.ts'
import { traffic } from './traffic.ts'

/** Surveys to start from. A test checks that each can be published as it is. */
export const SURVEY_TEMPLATES: readonly SurveyTemplate[] = [traffic, park, plan, budget, service, event, poll]
