/** What other features use of question types: reading, checking and wording an answer is the same wherever a question is asked. */
export { getQuestionModule } from './questionnaire/question-types/registry.ts'
