import { createServerFn } from '@tanstack/react-start'
import { readPhone as readPhoneOf } from './phone-numbers.server.ts'

export const readPhone = createServerFn().handler(({ context }) => readPhoneOf(context.ctx))
