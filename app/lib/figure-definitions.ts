/**
 * Every figure that people see: one entry here, whichever screen, file or API attribute shows it. Its name and what it counts, in one
 * sentence, are texts: `figures.<id>` in `common.json` for what everybody sees, and in `admin.json` for administrators.
 * A screen shows a figure under this name only, with `FigureCard`, `FigureNotes` or `useFigures`.
 */
interface FigureDefinition {
  /** The code that computes it, below `app/`. */
  countedBy: string
}

export const PUBLIC_FIGURES = {
  participants: { countedBy: 'features/surveys/responses/intake.server.ts' },
  projectPeople: { countedBy: 'features/homepage/blocks/counters/counters.lookup.server.ts' },
  publicAnswers: { countedBy: 'features/homepage/blocks/counters/counters.lookup.server.ts' },
  publicOpenProjects: { countedBy: 'features/homepage/blocks/counters/counters.lookup.server.ts' },
  decisions: { countedBy: 'features/homepage/blocks/counters/counters.lookup.server.ts' },
} as const satisfies Record<string, FigureDefinition>

export const ADMIN_FIGURES = {
  answers: { countedBy: 'features/dashboard/answer-days.server.ts' },
  openProjects: { countedBy: 'features/dashboard/dashboard.server.ts' },
  moderation: { countedBy: 'features/dashboard/dashboard.server.ts' },
  aware: { countedBy: 'features/reach/reach.figures.server.ts' },
  informed: { countedBy: 'features/reach/reach.figures.server.ts' },
  readers: { countedBy: 'features/reach/reach.figures.server.ts' },
  engaged: { countedBy: 'features/reach/engaged-days.server.ts' },
  sites: { countedBy: 'features/platform/site-figures.server.ts' },
  surveyAnswers: { countedBy: 'features/surveys/results/figures.ts' },
  medianTime: { countedBy: 'features/surveys/results/figures.ts' },
  answerLanguages: { countedBy: 'features/surveys/results/figures.ts' },
  contributions: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  heldContributions: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  supports: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  agreements: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  disagreements: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  replies: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  answeredContributions: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  daysToAnswer: { countedBy: 'features/contributions/results/contribution-figures.server.ts' },
  decidedCases: { countedBy: 'features/contributions/moderation/moderation-figures.server.ts' },
  hoursToDecide: { countedBy: 'features/contributions/moderation/moderation-figures.server.ts' },
  appeals: { countedBy: 'features/contributions/moderation/moderation-figures.server.ts' },
  budgetBallots: { countedBy: 'features/budgets/managing/count-round.server.ts' },
  eventPlaces: { countedBy: 'features/events/signing-up/places.server.ts' },
  eventAttendance: { countedBy: 'features/reports/report-events.server.ts' },
  completion: { countedBy: 'features/surveys/results/completion.server.ts' },
  messagesPrepared: { countedBy: 'features/campaigns/prepare-campaigns.server.ts' },
  messagesSent: { countedBy: 'features/campaigns/prepare-campaigns.server.ts' },
  messagesDelivered: { countedBy: 'features/sms/deliver-messages.server.ts' },
  messagesReturned: { countedBy: 'features/campaigns/newsletters/newsletters.server.ts' },
  messagesFailed: { countedBy: 'features/campaigns/prepare-campaigns.server.ts' },
  messagesSkipped: { countedBy: 'features/campaigns/prepare-campaigns.server.ts' },
  linkClicks: { countedBy: 'features/reach/link-clicks.server.ts' },
} as const satisfies Record<string, FigureDefinition>

export type PublicFigure = keyof typeof PUBLIC_FIGURES
export type AdminFigure = keyof typeof ADMIN_FIGURES
export type Figure = PublicFigure | AdminFigure

export const isPublicFigure = (figure: Figure): figure is PublicFigure => figure in PUBLIC_FIGURES
