"""What disassembled instructions on scalable vectors load and store, and which of their lanes are active."""

import re

VECTOR_BITS = 256  # as decode_words has them
BYTES = VECTOR_BITS // 8
SIZES = {"b": 1, "h": 2, "s": 4, "d": 8, "w": 4, "q": 16, "o": 32}
NO_MOVE = (0, 0, 0)


class Predicates:
    """The bytes at which a predicate has lanes, where code says it."""

    def __init__(self):
        self.known = {}

    def follow(self, text):
        mnemonic, _, operands = text.partition("\t")
        written = re.match(r"p(\d+)(?:\.([bhsd]))?(?:,|$)", operands)
        if mnemonic == "svc":
            self.known = {}
        elif written and not re.match(r"str$|ptest$|wrffr$", mnemonic):
            size = SIZES[written[2] or "b"]
            pattern = operands.partition(", ")[2] or "all"
            self.known[written[1]] = self.places(pattern, size) if mnemonic in ("ptrue", "ptrues") else set() if mnemonic == "pfalse" else None

    @staticmethod
    def places(pattern, size):
        everything = BYTES // size
        count = {"all": everything, "mul4": everything // 4 * 4, "mul3": everything // 3 * 3, "pow2": 2 ** (everything.bit_length() - 1)}.get(pattern)
        if count is None:
            count = int(pattern[2:]) if pattern.startswith("vl") else 0
        return {lane * size for lane in range(count)} if count <= everything else set()

    def active(self, operands, size):
        """None: it is not known."""
        governing = re.search(r"\bp(\d+)\b", operands)
        places = self.known.get(governing[1]) if governing else set(range(BYTES))
        return None if places is None else sum(place % size == 0 for place in places)

    def lanes(self, operands, precision, fma):
        active = self.active(operands, SIZES[precision])
        if active is None:
            return ["fp_lanes_unknown"]
        return [f"fp_lanes_{precision}{'_fma' if fma else ''}:{active}"] if active else []


def memory(mnemonic, operands, predicates):
    """((loaded, stored, locked), what each element is), in bytes."""
    count, each = 0, []
    if mnemonic in ("ldr", "str"):
        count = BYTES if operands[0] == "z" else BYTES // 8
    elif replicated := re.fullmatch(r"ld1r(?:s?([bhwd])|([qo])[bhwd])", mnemonic):
        count = SIZES[replicated[1] or replicated[2]]
    elif move := re.fullmatch(r"(?:ld|st)(?:nt|ff|nf)?([1-4])s?([bhwd])", mnemonic):
        lane, size = SIZES[re.search(r"z\d+\.([bhsd])", operands)[1]], SIZES[move[2]]
        lanes = BYTES // lane
        if "z" in operands[operands.index("["):]:
            active = predicates.active(operands, lane)
            lanes = lanes if active is None else active
            each = [f"each:{size}"] if lanes > 1 else []
        count = lanes * size * int(move[1])
    return ((count, 0, 0) if mnemonic.startswith("ld") else (0, count, 0)) if count else NO_MOVE, each
