import { apiVersion } from '../src/api/version.ts'
import { bindRules, type RulesFile } from '../src/translate/check.ts'
import { bindDeviations } from '../src/translate/deviation.ts'
import { readTopLevel } from './by-hand/host-config-members.ts'
import specification from './profile-spec.ts'
import v1_13 from './v1.13.ts'
import v1_16 from './v1.16.ts'
import v1_19 from './v1.19.ts'
import v1_20 from './v1.20.ts'
import v1_21 from './v1.21.ts'
import v1_22 from './v1.22.ts'
import v1_23 from './v1.23.ts'
import v1_24 from './v1.24.ts'
import v1_25 from './v1.25.ts'
import v1_26 from './v1.26.ts'
import v1_27 from './v1.27.ts'
import v1_28 from './v1.28.ts'
import v1_29 from './v1.29.ts'
import v1_30 from './v1.30.ts'
import v1_31 from './v1.31.ts'
import v1_32 from './v1.32.ts'
import v1_33 from './v1.33.ts'
import v1_34 from './v1.34.ts'
import v1_35 from './v1.35.ts'
import v1_36 from './v1.36.ts'
import v1_37 from './v1.37.ts'
import v1_38 from './v1.38.ts'
import v1_39 from './v1.39.ts'
import v1_40 from './v1.40.ts'
import v1_41 from './v1.41.ts'
import v1_42 from './v1.42.ts'
import v1_43 from './v1.43.ts'
import v1_44 from './v1.44.ts'
import v1_45 from './v1.45.ts'
import v1_46 from './v1.46.ts'
import v1_47 from './v1.47.ts'
import v1_48 from './v1.48.ts'
import v1_49 from './v1.49.ts'
import v1_50 from './v1.50.ts'
import v1_51 from './v1.51.ts'
import v1_52 from './v1.52.ts'
import v1_53 from './v1.53.ts'
import v1_54 from './v1.54.ts'
import v1_55 from './v1.55.ts'
import v1_56 from './v1.56.ts'
import v1_57 from './v1.57.ts'
import v1_58 from './v1.58.ts'

/** One line per version, in any order. */
export const files: readonly RulesFile[] = [
  { version: apiVersion(13), changes: v1_13 },
  { version: apiVersion(16), changes: v1_16 },
  { version: apiVersion(19), changes: v1_19 },
  { version: apiVersion(20), changes: v1_20 },
  { version: apiVersion(21), changes: v1_21 },
  { version: apiVersion(22), changes: v1_22 },
  { version: apiVersion(23), changes: v1_23 },
  { version: apiVersion(24), changes: v1_24 },
  { version: apiVersion(25), changes: v1_25 },
  { version: apiVersion(26), changes: v1_26 },
  { version: apiVersion(27), changes: v1_27 },
  { version: apiVersion(28), changes: v1_28 },
  { version: apiVersion(29), changes: v1_29 },
  { version: apiVersion(30), changes: v1_30 },
  { version: apiVersion(31), changes: v1_31 },
  { version: apiVersion(32), changes: v1_32 },
  { version: apiVersion(33), changes: v1_33 },
  { version: apiVersion(34), changes: v1_34 },
  { version: apiVersion(35), changes: v1_35 },
  { version: apiVersion(36), changes: v1_36 },
  { version: apiVersion(37), changes: v1_37 },
  { version: apiVersion(38), changes: v1_38 },
  { version: apiVersion(39), changes: v1_39 },
  { version: apiVersion(40), changes: v1_40 },
  { version: apiVersion(41), changes: v1_41 },
  { version: apiVersion(42), changes: v1_42 },
  { version: apiVersion(43), changes: v1_43 },
  { version: apiVersion(44), changes: v1_44 },
  { version: apiVersion(45), changes: v1_45 },
  { version: apiVersion(46), changes: v1_46 },
  { version: apiVersion(47), changes: v1_47 },
  { version: apiVersion(48), changes: v1_48 },
  { version: apiVersion(49), changes: v1_49 },
  { version: apiVersion(50), changes: v1_50 },
  { version: apiVersion(51), changes: v1_51 },
  { version: apiVersion(52), changes: v1_52 },
  { version: apiVersion(53), changes: v1_53 },
  { version: apiVersion(54), changes: v1_54 },
  { version: apiVersion(55), changes: v1_55 },
  { version: apiVersion(56), changes: v1_56 },
  { version: apiVersion(57), changes: v1_57 },
  { version: apiVersion(58), changes: v1_58 },
]

/** All changes, bound and checked: an invalid rule stops the program here. */
export const changes = bindRules(files)

/** Steps that read requests before all changes. */
export const readings = { ContainerCreate: readTopLevel }

/** Deviations that `--profile spec` adds. */
export const deviations = bindDeviations(specification)
