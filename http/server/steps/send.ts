// Last step of the answer: it leaves, and the request ends.
import { dropAnswer, isPaced, sendAnswer } from '../reply.ts'
import { ANSWERED, type HttpRequest, type StepResult } from '../request.ts'
import { end, finished } from './end.ts'
import { workOwner } from './turn.ts'

export function send(request: HttpRequest): StepResult {
  const { answer, socket } = request
  if (answer === null) return ANSWERED
  end(request)
  if (socket.isRelayed === true) socket.owner = workOwner(request)
  else if (isPaced(answer.payload)) answer.owner = workOwner(request)
  sendAnswer(socket, answer)
  finished(request, answer.status)
  request.answer = null
  dropAnswer(answer)
  return ANSWERED
}
