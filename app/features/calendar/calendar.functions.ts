import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readCalendarSearch } from './calendar-search.ts'
import { readCalendar } from './calendar.server.ts'

export const getCalendar = createServerFn()
  .validator(createInputValidator(createQuerySchema(readCalendarSearch)))
  .handler(({ context, data }) => readCalendar(context.ctx, data))
