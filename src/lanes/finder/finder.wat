;; Finds the end of a JSON object, and in it the members that edits name, 16 bytes at a time. byte-editor.ts does the same,
;; and decides: all that is out of the ordinary (another spelling of a name, what is no JSON, the end of the window) is left to it.
;;
;; A place is an address in memory, 0 where something was not found. Memory, which never grows:
;;   0x00400 edits, as finder.ts lays them out:
;;             edits: edits of elements, edits of values, what its end is, count of lengths, then for each length its first member
;;             member: the next of the same length, what is done to it, name
;;           what is done: 0 nothing, 1 taken out, below 0x400 a mark (it is told where that is), else edits of what is inside
;;   0x08000 what was found: from, to, what
;;   0x10000 the window: bytes of the body, then 16 zeros, so that 16 can be looked at from any place in it
(module
  (memory (export "memory") 4 4)
  (global $end (export "end") (mut i32) (i32.const 0))     ;; of the window
  (global $found (export "found") (mut i32) (i32.const 0)) ;; where the next goes that is found

  ;; The first place from $at on that is no white space.
  (func $space (param $at i32) (result i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.or (i32.eq (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x0a)))
            (i32.or (i32.eq (local.get $byte) (i32.const 0x0d)) (i32.eq (local.get $byte) (i32.const 0x09))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at))

  ;; Most often there is none.
  (func $pass (param $at i32) (result i32)
    (if (result i32) (i32.gt_u (i32.load8_u (local.get $at)) (i32.const 0x20))
      (then (local.get $at))
      (else (call $space (local.get $at)))))

  ;; The first quote or backslash from $at on, as a bit for each of the 16 bytes.
  (func $quotes (param $at i32) (result i32)
    (local $some v128)
    (local.set $some (v128.load align=1 (local.get $at)))
    (i8x16.bitmask (v128.or
      (i8x16.eq (local.get $some) (i8x16.splat (i32.const 0x22)))
      (i8x16.eq (local.get $some) (i8x16.splat (i32.const 0x5c))))))

  ;; Behind the text whose first character stands at $at.
  (func $text (param $at i32) (param $plain i32) (result i32)
    (local $bits i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (global.get $end)) (then (return (i32.const 0))))
      (if (i32.eqz (local.tee $bits (call $quotes (local.get $at))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $bits))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x22))
        (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (local.get $plain) (then (return (i32.const 0)))) ;; an escape in it
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br $next))
    (unreachable))

  ;; Behind the object or array that opens at $at, by brackets and quotes.
  (func $nested (param $at i32) (result i32)
    (local $some v128) (local $bits i32) (local $depth i32) (local $byte i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (global.get $end)) (then (return (i32.const 0))))
      (local.set $some (v128.load align=1 (local.get $at)))
      ;; With these bits set, all four brackets are 0x7f (and nothing else that JSON has outside of a text).
      (local.set $bits (i8x16.bitmask (v128.or
        (i8x16.eq (local.get $some) (i8x16.splat (i32.const 0x22)))
        (i8x16.eq (v128.or (local.get $some) (i8x16.splat (i32.const 0x26))) (i8x16.splat (i32.const 0x7f))))))
      (if (i32.eqz (local.get $bits))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $bits))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $byte) (i32.const 0x22))
        (then
          (br_if $next (local.tee $at (call $text (local.get $at) (i32.const 0))))
          (return (i32.const 0))))
      (local.set $byte (i32.or (local.get $byte) (i32.const 0x20)))
      (if (i32.eq (local.get $byte) (i32.const 0x7b))
        (then
          (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
          (br $next)))
      (br_if $next (i32.ne (local.get $byte) (i32.const 0x7d)))
      (br_if $next (local.tee $depth (i32.sub (local.get $depth) (i32.const 1)))))
    (local.get $at))

  ;; Behind the value that stands at $at; a number, or a word, ends where the next comma or bracket stands.
  (func $value (param $at i32) (result i32)
    (local $byte i32) (local $start i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 0x22))
      (then (return (call $text (i32.add (local.get $at) (i32.const 1)) (i32.const 0)))))
    (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
      (then (return (call $nested (local.get $at)))))
    (local.set $start (local.get $at))
    (loop $next
      (if (i32.ge_u (local.get $at) (global.get $end)) (then (return (i32.const 0))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.eq (local.get $byte) (i32.const 0x2c))
            (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7d)))
        (then (return (select (i32.const 0) (local.get $at) (i32.eq (local.get $at) (local.get $start))))))
      (if (i32.or
            (i32.eq (local.get $byte) (i32.const 0x22))
            (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b)))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (unreachable))

  ;; What is done to the member whose name stands from $from on and is so long.
  (func $what (param $edits i32) (param $from i32) (param $length i32) (result i32)
    (local $member i32) (local $i i32)
    (if (i32.ge_u (local.get $length) (i32.load offset=12 (local.get $edits))) (then (return (i32.const 0))))
    (local.set $member (i32.load offset=16 (i32.add (local.get $edits) (i32.shl (local.get $length) (i32.const 2)))))
    (loop $next
      (if (i32.eqz (local.get $member)) (then (return (i32.const 0))))
      (local.set $i (i32.const 0))
      (block $other
        (loop $same
          (if (i32.eq (local.get $i) (local.get $length)) (then (return (i32.load offset=4 (local.get $member)))))
          (br_if $other (i32.ne
            (i32.load8_u (i32.add (local.get $from) (local.get $i)))
            (i32.load8_u offset=8 (i32.add (local.get $member) (local.get $i)))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $same)))
      (local.set $member (i32.load (local.get $member)))
      (br $next))
    (unreachable))

  ;; 0 where there is no room for it.
  (func $keep (param $from i32) (param $to i32) (param $what i32) (result i32)
    (if (i32.gt_u (global.get $found) (i32.const 0xfff4)) (then (return (i32.const 0))))
    (i32.store (global.get $found) (local.get $from))
    (i32.store offset=4 (global.get $found) (local.get $to))
    (i32.store offset=8 (global.get $found) (local.get $what))
    (global.set $found (i32.add (global.get $found) (i32.const 12)))
    (i32.const 1))

  ;; Behind the value at $at, when what is to be found in it has been found.
  (func $edited (param $at i32) (param $edits i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 0x7b))
      (then (return (call $object (local.get $at) (local.get $edits)))))
    (if (i32.load offset=8 (local.get $edits)) (then (return (i32.const 0)))) ;; an object was to be there
    (if (i32.eq (local.get $byte) (i32.const 0x5b))
      (then (if (i32.load (local.get $edits))
        (then (return (call $array (local.get $at) (i32.load (local.get $edits))))))))
    (call $value (local.get $at)))

  (func $object (export "object") (param $at i32) (param $edits i32) (result i32)
    (local $values i32) (local $what i32) (local $kept i32) (local $first i32) (local $from i32) (local $valueEnd i32)
    (local $last i32) (local $next i32) (local $until i32)
    (local.set $values (i32.load offset=4 (local.get $edits)))
    (local.set $kept (i32.add (local.get $at) (i32.const 1))) ;; where what stays ends
    (local.set $at (call $pass (local.get $kept)))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d))
      (then
        (if (i32.load offset=8 (local.get $edits)) (then (return (i32.const 0)))) ;; nothing that a comma could follow
        (return (i32.add (local.get $at) (i32.const 1)))))
    (local.set $first (i32.const 1))
    (loop $member
      ;; "name" :
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (then (return (i32.const 0))))
      (local.set $from (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eqz (local.tee $at (call $text (local.get $from) (i32.eqz (local.get $values)))))
        (then (return (i32.const 0))))
      (local.set $what (i32.const 0))
      (if (i32.eqz (local.get $values))
        (then (local.set $what (call $what (local.get $edits) (local.get $from)
          (i32.sub (i32.sub (local.get $at) (local.get $from)) (i32.const 1))))))
      (local.set $at (call $pass (local.get $at)))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const 0))))
      (local.set $at (call $pass (i32.add (local.get $at) (i32.const 1))))
      ;; value
      (local.set $valueEnd
        (if (result i32) (local.get $values)
          (then (call $edited (local.get $at) (local.get $values)))
          (else (if (result i32) (i32.ge_u (local.get $what) (i32.const 0x400))
            (then (call $edited (local.get $at) (local.get $what)))
            (else (call $value (local.get $at)))))))
      (if (i32.eqz (local.get $valueEnd)) (then (return (i32.const 0))))
      (if (i32.and (i32.gt_u (local.get $what) (i32.const 1)) (i32.lt_u (local.get $what) (i32.const 0x400)))
        (then (if (i32.eqz (call $keep (local.get $at) (local.get $valueEnd) (local.get $what)))
          (then (return (i32.const 0))))))
      ;; , or }
      (local.set $at (call $pass (local.get $valueEnd)))
      (local.set $last (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d)))
      (local.set $next (local.get $at))
      (if (i32.eqz (local.get $last))
        (then
          (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x2c)) (then (return (i32.const 0))))
          (local.set $next (call $pass (i32.add (local.get $at) (i32.const 1))))))
      ;; One comma goes with it: that before it, or where nothing stays before it, that after it.
      (local.set $until (local.get $valueEnd))
      (if (i32.eq (local.get $what) (i32.const 1))
        (then
          (if (local.get $first) (then (local.set $until (local.get $next))))
          (if (i32.eqz (call $keep (local.get $kept) (local.get $until) (i32.const 1))) (then (return (i32.const 0)))))
        (else (local.set $first (i32.const 0))))
      (if (local.get $last)
        (then
          (if (i32.load offset=8 (local.get $edits))
            (then
              (if (local.get $first) (then (return (i32.const 0))))
              (if (i32.eqz (call $keep (local.get $at) (local.get $at) (i32.load offset=8 (local.get $edits))))
                (then (return (i32.const 0))))))
          (return (i32.add (local.get $at) (i32.const 1)))))
      (local.set $kept (local.get $until))
      (local.set $at (local.get $next))
      (br $member))
    (unreachable))

  (func $array (param $at i32) (param $edits i32) (result i32)
    (local.set $at (call $pass (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5d))
      (then (return (i32.add (local.get $at) (i32.const 1)))))
    (loop $next
      (if (i32.eqz (local.tee $at (call $edited (local.get $at) (local.get $edits)))) (then (return (i32.const 0))))
      (local.set $at (call $pass (local.get $at)))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5d))
        (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x2c)) (then (return (i32.const 0))))
      (local.set $at (call $pass (i32.add (local.get $at) (i32.const 1))))
      (br $next))
    (unreachable))
)
