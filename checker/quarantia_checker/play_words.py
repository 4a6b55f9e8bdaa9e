"""What `quarantia play` itself says, in both languages; moves are told by the rules' sentences."""

from __future__ import annotations

from quarantia_engine.sentences import Language

WORDS: dict[str, tuple[str, str]] = {
    "turn": ("It is {who}'s turn.", "C'est à {who} de jouer."),
    "together": ("{who} chooses in secret.", "{who} choisit en secret."),
    "pass": (
        "Hand the screen to {who}, who presses Enter.",
        "Passez l'écran à {who}, qui appuie sur Entrée.",
    ),
    "prompt": ("{who}, your move (? for help) > ", "{who}, votre coup (? pour l'aide) > "),
    "kind": (
        "{count} moves are possible. Which kind?",
        "{count} coups possibles. De quelle sorte ?",
    ),
    "fewer": ("{count} moves are left.", "Il reste {count} coups."),
    "more": ("    … and {count} more (? all)", "    … et {count} autres (? all)"),
    "saved": ("The game is saved in {path}.", "La partie est enregistrée dans {path}."),
    "not_saved": (
        "The game cannot be saved ({why}); play goes on without.",
        "La partie ne peut pas être enregistrée ({why}) ; on joue sans.",
    ),
    "resume": ("Go on with: {command}", "Pour reprendre : {command}"),
    "hint": ("The bot would play: {move}", "Le robot jouerait : {move}"),
    "guess": (
        "The bot does not look at what is hidden from {who}, and guesses: {move}",
        "Le robot ne regarde pas ce qui est caché à {who} ; au hasard : {move}",
    ),
    "undone": ("Taken back: {move}", "Repris : {move}"),
    "cannot_undo": (
        "That cannot be taken back: {why}.",
        "Impossible de revenir en arrière : {why}.",
    ),
    "secret": ("{who} has chosen.", "{who} a choisi."),
    "unseen": ("{who}: {rule}", "{who} : {rule}"),
    "no_number": ("There are moves 1 to {count}.", "Il y a les coups 1 à {count}."),
    "over": ("The game is over.", "La partie est finie."),
    "won": ("{who} wins.", "{who} gagne."),
    "won_together": ("{who} win together.", "{who} gagnent ensemble."),
    "nobody": ("Nobody wins.", "Personne ne gagne."),
    "scores": ("Scores: {scores}.", "Points : {scores}."),
    "chance": ("chance", "le hasard"),
    "and": (" and ", " et "),
    "broken": (
        "The rules themselves fail here: {why}",
        "Les règles elles-mêmes sont en défaut ici : {why}",
    ),
    "dead_end": (
        "{who} has no legal choice: a defect of the rules.",
        "{who} n'a aucun choix permis : un défaut des règles.",
    ),
    "help": (
        "  a number     that move of the list\n"
        "  a move       such as {sample}, or its first letters\n"
        "  ?            this help, and the moves that are possible now; ? all for every one\n"
        "  show         draw the position again\n"
        "  log          what has happened so far\n"
        "  hint         ask the bot\n"
        "  undo         take the last move back, if nothing hidden was learnt since\n"
        "  save FILE    save the game there too\n"
        "  back         begin the choice again\n"
        "  quit         leave; the game stays saved",
        "  un nombre    ce coup de la liste\n"
        "  un coup      comme {sample}, ou ses premières lettres\n"
        "  ?            cette aide et les coups possibles ; ? all pour les voir tous\n"
        "  show         redessiner la position\n"
        "  log          ce qui s'est passé jusqu'ici\n"
        "  hint         demander conseil au robot\n"
        "  undo         reprendre le dernier coup, si rien de caché n'a été appris depuis\n"
        "  save FICHIER enregistrer aussi la partie là\n"
        "  back         recommencer le choix\n"
        "  quit         partir ; la partie reste enregistrée",
    ),
}


def say(language: Language, key: str, **values: object) -> str:
    """One of the sentences above, filled in."""
    english, french = WORDS[key]
    return (french if language == "fr" else english).format(**values)


# Why the engine refuses to take a move back: `CannotUndo` speaks English.
REASONS = {
    "there is no move to take back": "il n'y a pas de coup à reprendre",
    "chance has spoken since that move": "le hasard a parlé depuis ce coup",
    "something hidden was seen after that move": "quelque chose de caché a été vu après ce coup",
}


def reason(language: Language, message: str) -> str:
    """A reason of the engine in the language of the players."""
    return REASONS.get(message, message) if language == "fr" else message
