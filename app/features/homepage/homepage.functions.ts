import { createServerFn } from '@tanstack/react-start'
import { getHomepage } from './homepage.server.ts'

export const readHomepage = createServerFn().handler(({ context }) => getHomepage(context.ctx))
