import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readDashboard } from './dashboard.server.ts'
import { loadFirstSteps } from './first-steps.server.ts'

export const getDashboard = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readDashboard(context.ctx))

export const getFirstSteps = createServerFn()
  .validator(noInput)
  .handler(({ context }) => loadFirstSteps(context.ctx))
