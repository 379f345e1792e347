# What zsh offers at the end of a line: complete.zsh SCRIPT LINE. In a terminal of its own, because completion has no other door.
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PROMPT=; autoload -Uz compinit && compinit -u -D; source '$1
# Options before `-` or `--` with which a call only asks (zshcompwid(1), compadd -O, -A, -D) are passed on.
zpty -w shell 'compadd() { local -a hits; [[ ${(j: :)@[1,${@[(i)-(|-)]}]} == *-[OAD]\ * ]] || { builtin compadd -O hits "$@"; (( $#hits )) && print -rl -- OFFER:${^hits} }; builtin compadd "$@" }'
zpty -w shell 'probe() { print; _main_complete; print ALL-"SAID" }; zle -C probe list-choices probe; bindkey "^T" probe; print RE"ADY"'
while zpty -r shell out; do [[ $out == *READY* ]] && break; done
zpty -w -n shell "$2"$'\C-T'
while zpty -r shell out; do print -rn -- "$out"; [[ $out == *ALL-SAID* ]] && break; done
zpty -d shell
