/** Events for Segment's `track`, with their properties: never anything that a person wrote. */
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
 * Attributes that make submitting a form or following a link an event: `<form {...toTrackingAttributes('Project Followed', { projectId
 * })}>`. They have no effect if analytics is off, and pages need no code for them.
 */
export const toTrackingAttributes = <E extends AnalyticsEvent>(event: E, properties: AnalyticsEvents[E]) => ({
  'data-track': event,
  'data-track-properties': JSON.stringify(properties),
})
