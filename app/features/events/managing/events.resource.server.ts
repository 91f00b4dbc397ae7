import { implementResource } from '#app/server/api/implement.ts'
import { canEditEvents } from '../events.policy.server.ts'
import { getEventPhase } from '../events.state.ts'
import { describeAnswers, readSignUpQuestions } from '../signing-up/sign-up-questions.server.ts'
import { eventAttendanceShape, eventSignUpShape } from './event-sign-ups.api.schema.ts'
import { attendByCode, listSignUps, loadSignUps, removeSignUp, updateSignUp } from './event-sign-ups.server.ts'
import { eventShape } from './events.api.schema.ts'
import { createEvent, deleteEvent, listEvents, loadEvents, updateEvent } from './events.server.ts'

export const eventResource = implementResource(eventShape, {
  load: loadEvents,
  list: listEvents,
  can: (ctx, { event, project }) => {
    const update = canEditEvents(ctx, project)
    return { update, remove: update && event.going + event.waiting === 0 }
  },
  lockVersion: ({ event }) => event.lockVersion,
  attributes: ({ event, project }, ctx) => ({
    slug: event.slug,
    title: event.title,
    description: event.description,
    status: event.status,
    phase: getEventPhase(ctx.now(), event),
    startsAt: event.startsAt,
    endsAt: event.endsAt,
    place: event.place,
    ...(canEditEvents(ctx, project) && { joinLink: event.joinLink }),
    accessInfo: event.accessInfo,
    capacity: event.capacity,
    hasWaitingList: event.hasWaitingList,
    access: event.access,
    questions: readSignUpQuestions(event),
    going: event.going,
    waiting: event.waiting,
  }),
  relationships: { project: { id: ({ event }) => event.projectId, alwaysVisible: true } },
  create: createEvent,
  update: (ctx, row, input, lock) => updateEvent(ctx, row.id, input, lock.version),
  remove: (ctx, row) => deleteEvent(ctx, row),
})

export const eventSignUpResource = implementResource(eventSignUpShape, {
  load: loadSignUps,
  list: listSignUps,
  attributes: ({ signUp, event }, ctx) => ({
    name: signUp.name,
    email: signUp.email,
    language: signUp.language,
    state: signUp.state,
    answers: describeAnswers(ctx, event, signUp.answers).map(({ title, lines }) => ({ question: title.text, answer: lines.join(', ') })),
    attended: signUp.attendedAt !== null,
    createdAt: signUp.createdAt,
  }),
  relationships: { event: { id: ({ signUp }) => signUp.eventId, alwaysVisible: true } },
  update: (ctx, row, input) => updateSignUp(ctx, row, input),
  remove: removeSignUp,
})

export const eventAttendanceResource = implementResource(eventAttendanceShape, {
  create: attendByCode,
  attributes: ({ name, isAgain }) => ({ name, isAgain }),
  relationships: { event: { id: ({ eventId }) => eventId, alwaysVisible: true } },
})
