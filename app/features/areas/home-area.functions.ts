import { createServerFn } from '@tanstack/react-start'
import { readHomeArea as readHomeAreaOf } from './home-area.server.ts'

export const readHomeArea = createServerFn().handler(({ context }) => readHomeAreaOf(context.ctx))
