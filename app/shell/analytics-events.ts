/** What Segment `track` is told, with the properties of each: never anything a person wrote. */
export interface AnalyticsEvents {
  'Response Submitted': { surveyId: string; projectId: string }
  'Project Followed': { projectId: string }
  'Project Unfollowed': { projectId: string }
  'Search Performed': { results: number }
  'Account Registered': { language: string }
  'Language Changed': { language: string }
  'Project Published': { projectId: string }
  'Survey Published': { surveyId: string }
  'Responses Exported': { surveyId: string }
}

export type AnalyticsEvent = keyof AnalyticsEvents

/**
 * Attributes for a form or link whose sending or following is an event: `<form {...tracked('Project Followed', { projectId })}>`.
 * They do nothing where analytics is off, and no page carries code for them.
 */
export const toTrackingAttributes = <E extends AnalyticsEvent>(event: E, properties: AnalyticsEvents[E]) => ({
  'data-track': event,
  'data-track-properties': JSON.stringify(properties),
})
