import * as v from 'valibot'
import { commonSettings, defineKind } from '../define-kind.ts'

/** What people ask the team: others can ask the same, and the team answers everybody or only the person who asked. */
export const questions = defineKind({
  settings: v.strictObject({
    ...commonSettings,
    /** Working days until an answer is due. */
    answerDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60)), 10),
  }),
  sections: { answers: ['answerDays'] },
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: ({ answerDays, photos }) => ({
    titles: true,
    reactions: ['support'],
    replies: false,
    answers: true,
    photos,
    question: { workingDays: answerDays },
  }),
  statuses: [
    { code: 'received', needsText: false },
    { code: 'under_review', needsText: false },
    { code: 'answered', needsText: true },
  ],
})
