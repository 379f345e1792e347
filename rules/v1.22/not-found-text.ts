import { operationNames } from '../../src/api/operations.ts'
import { errorTexts } from '../../src/translate/ops.ts'

const OTHERS = /^(ContainerKill|ContainerCreate|Image(Inspect|History|Tag|Get|Delete)|Network.*|Volume.*)$/
/** Operations whose container or exec can be missing; those with texts of their own have rows below. */
const LOOKS_UP = operationNames.filter(
  (name) => /^((Put)?Container|Exec|Image)/.test(name) && !OTHERS.test(name) && name !== 'ContainerWait',
)

/** The errors of engines up to 1.9 for missing objects. Recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1 (…-404). */
export const ofMissing = errorTexts(
  `
  ${LOOKS_UP.join(' ')}
    404 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
    404 No such exec instance: {exec}
      down 404 No such exec instance '{exec}' found in daemon
  ContainerList
    # Engine 20.10 answers 500 for the filters since and before.
    500 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
  ContainerWait
    404 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
      1.18 404 wait: {lead}no such id: {rest}
  ContainerKill
    404 cannot kill container{colon=:|} {given}: no such container{colon2=:|} {rest}
    404 {lead}no such container{colon=:|} {rest}
      down 404 Cannot kill container {name}: nosuchcontainer: {lead}no such id: {rest}
      1.20 404 Cannot kill container {name}: {lead}no such id: {rest}
      1.19 404 {lead}no such id: {rest}
  # "No such image" of create and inspect stays: clients pull if they see it.
  ImageInspect
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 No such image: {name}
  ImageHistory ImageTag ImageGet
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 could not find image: no such id: {name}
  ImageDelete
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 could not find image: no such id: {name}
      1.20 404 No such image: {name}
  NetworkConnect NetworkDisconnect
    404 no such container: {word}
      down 404 invalid container <nil> : nosuchcontainer: no such id: {word}
  VolumeInspect VolumeDelete
    404 get {word}: no such volume
      down 404 no such volume
`,
  { anyCase: true, everyProfile: true, samples: [{ values: { lead: '' } }] },
)
